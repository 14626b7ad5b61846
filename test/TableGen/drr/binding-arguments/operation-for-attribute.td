include "../ops.td"

def P : Pat<(AOp $x, (BOp)), (replaceWithValue $x)>;
// expected-error@-1:22 {{pattern 'P': '(BOp)' is not an attribute constraint, which an attribute needs}}
// UPSTREAM: takes, the C++ asks an attribute for its operation
