include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x__1, $attr)>;
// expected-error@-1:35 {{pattern 'P': '$x__1' is not there: '$x' has no results}}
// UPSTREAM: takes, the C++ does not compile
