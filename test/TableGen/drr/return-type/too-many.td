include "../ops.td"

def P : Pat<(AOp $x, $attr), (OneResultOp (AOp $x, $attr, (returnType $x, $x)))>;
// expected-error@-1:59 {{pattern 'P': 't.a' has 1 results, 'returnType' gives 2}}
// UPSTREAM: takes, the operation is invalid
