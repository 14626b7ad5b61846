include "../ops.td"

def P : Pat<(AOp $x, "fast"), (replaceWithValue $x)>;
// expected-error@-1:22 {{pattern 'P': a string is no argument; say ConstantStrAttr<StrAttr, "...">}}
