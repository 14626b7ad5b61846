include "../ops.td"

def P : Pat<(AOp $x, $attr), (DOp $x, $attr)>;
// expected-error@-1:39 {{pattern 'P': '$attr' is an attribute; a value is needed}}
// UPSTREAM: takes, the C++ does not compile
