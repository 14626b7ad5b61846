// What has no operands has no groups of them.

include "../ops.td"

def P : Pat<(OptionsOp $x, $_, (variadic $c, (BOp)), $_, $_, $_), (VStackOp (variadic $x, $c))>;
// CHECK: %groups_2 = pdl.attribute = array<i32>
