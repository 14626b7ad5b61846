include "../ops.td"

def P : Pat<(AOp $x, $attr), (variadic $x)>;
// expected-error@-1:30 {{pattern 'P': 'variadic' cannot be made: it is not an operation}}
// UPSTREAM: takes, the C++ does not compile
