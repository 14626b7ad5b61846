include "../ops.td"

def P : Pat<(AOp (ZeroResultOp $x), $attr), (COp $x, $attr)>;
// expected-error@-1:18 {{pattern 'P': 't.zero_result' has no result that could be an operand}}
// UPSTREAM: takes, the C++ asks for a result that is not there
