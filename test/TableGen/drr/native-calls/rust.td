include "../ops.td"

def F : NativeCodeCall<"crate::keep">;
def P : Pat<(AOp $x, $attr), (OneResultOp (F $x))>;
def Q : Pat<(AOp (BOp:$x), $attr), (OneResultOp (NativeCodeCall<"crate::keep($1)"> $attr, $x))>;
