include "../ops.td"

def P : Pat<(DOp $x, (ConstantLikeMatcher ConstantAttr<I32Attr, "0">)), (replaceWithValue $x)>;
def Q : Pat<(AOp (ConstantLikeMatcher I32Attr:$n), $x), (TwoAttrOp $x, $n)>;
