include "../ops.td"

def P : Pat<(ConcatenateOp (variadic $input0, $input1), $axis), (DOp $input0, $input1)>;
def Q : Pat<(ConcatenateOp (variadic (OneResultOp $a), (AOp $b, $c)), $axis), (TwoAttrOp $axis, $c), [(HasNoUseOf:$a), (HasNoUseOf:$b)]>;
def R : Pat<(ConcatenateOp (variadic:$inputs $input0, $input1, $input2), ConstantAttr<I32Attr, "0">), (VStackOp $inputs)>;
