include "../ops.td"

def P : Pat<(AOp $x, $attr), (replaceWithValue $attr)>;
// expected-error@-1:48 {{pattern 'P': '$attr' is an attribute; a value is needed}}
// UPSTREAM: takes, the C++ does not compile
