include "../ops.td"

def P : Pat<(I32 $input), (OneResultOp $input)>;
// expected-error@-1:13 {{pattern 'P': 'I32' cannot be matched: it is not an operation}}
