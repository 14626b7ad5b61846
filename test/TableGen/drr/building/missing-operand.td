include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp $x, ?)>;
// expected-error@-1:31 {{pattern 'P': operand 'd_input2' must be given}}
