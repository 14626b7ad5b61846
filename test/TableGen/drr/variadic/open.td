include "../ops.td"

def P : Pat<(ConcatenateOp $inputs, ConstantAttr<I32Attr, "0">), (VStackOp $inputs)>;
def Q : Pattern<(MultiVariadicOp:$r $x, $xs, $y), [(OneResultOp $y), (VStackOp $xs), (OneResultOp $x)], [(HasNoUseOf:$r__0)]>;
