include "../ops.td"

def P : Pat<(AOp $x, $attr), (DOp $x, (ConstantOp $attr))>;
