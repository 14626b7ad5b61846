include "../ops.td"

def P : Pat<(variadic $input), (replaceWithValue $input)>;
// expected-error@-1:13 {{pattern 'P': 'variadic' cannot be matched: it is not an operation}}
