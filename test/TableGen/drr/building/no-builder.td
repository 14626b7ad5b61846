include "../ops.td"

def P : Pat<(AOp $input, $attr), (COp (AOp $input, $attr), $attr)>;
// expected-error@-1:39 {{pattern 'P': the types of 't.a' cannot be inferred; say them by (returnType ...)}}
// UPSTREAM: takes, the C++ does not compile
