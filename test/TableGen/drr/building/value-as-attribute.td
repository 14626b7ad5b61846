include "../ops.td"

def P : Pat<(DOp $x, $y), (COp $x, $y)>;
// expected-error@-1:36 {{pattern 'P': '$y' is not an attribute, which 'c_attr' needs}}
// UPSTREAM: takes, the C++ does not compile
