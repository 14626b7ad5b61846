include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x, $attr, (location $attr))>;
// expected-error@-1:56 {{pattern 'P': the attribute '$attr' has no place}}
// UPSTREAM: takes, the C++ does not compile
