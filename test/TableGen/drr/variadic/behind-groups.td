include "../ops.td"

def P : Pat<(MultiVariadicOp $x, $xs, (AOp $y, $a)), (MultiVariadicOp $x, $xs, $y)>;
def Q : Pat<(OptionsOp $x, (COp I32:$y, F32Attr:$a), (variadic $p, (PaintOp $q, Red)), $_, $_, $_), (COp $q, $a), [(Constraint<CPred<"f($0, $1)">> $y, $a)]>;
def R : Pat<(OptionsOp $x, $bias, (variadic (NativeCodeCall<"g($_self, &$0)"> I32Attr:$n), $_), $_, $_, $_), (COp $x, $n)>;
// UPSTREAM: refuses operations for optional operands
