include "../ops.td"

def P : Pat<(VStackOp $xs), (OneResultOp $xs)>;
// expected-error@-1:42 {{pattern 'P': operand 'x' takes one value, any number are given}}
// UPSTREAM: takes, the C++ does not compile
