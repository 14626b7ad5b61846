include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp (ZeroResultOp $x), $x)>;
// expected-error@-1:36 {{pattern 'P': one value is needed, and nothing is returned here}}
// UPSTREAM: takes, the C++ does not compile
