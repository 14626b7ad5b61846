include "../ops.td"

def P : Pat<(AOp $x, (ConstantAttr<I1Attr, "1">)), (replaceWithValue $x)>;
// expected-error@-1:22 {{pattern 'P': this is not an attribute constraint, which an attribute needs}}
