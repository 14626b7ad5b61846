include "../ops.td"

def P : Pat<(VStackOp (variadic (variadic $x))), (replaceWithValue $x)>;
// expected-error@-1:23 {{pattern 'P': groups cannot be nested}}
