include "../ops.td"

def P : Pat<(AOp $x, $x), (replaceWithValue $x)>;
// expected-error@-1:22 {{pattern 'P': '$x' is bound twice, and not to attributes that are always there}}
