include "../ops.td"

def EOp : TOp<"e"> { let arguments = (ins AnyType, AnyAttr:$attr, AnyType); let results = (outs AnyType); }
def P : Pat<(EOp $x, $attr, (EOp $y, $_, $_)), (EOp $y, $attr, $x)>;
