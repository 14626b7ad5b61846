include "../ops.td"

def P : Pat<(TwoResultOp:$r__5 $x), (TwoResultOp (OneResultOp $x))>;
// expected-error@-1:13 {{pattern 'P': 't.two_result' has no result 5}}
// UPSTREAM: takes, and drops the suffix
