include "../ops.td"

def P : Pat<(OneResultOp (BOp):$b), (replaceWithValue $b)>;
// expected-error@-1:26 {{pattern 'P': the name stands with the operation: (Op:$b ...)}}
