include "../ops.td"

def P : Pat<(AOp (TwoResultOp $x), $attr), (COp $x, $attr)>;
// expected-error@-1:18 {{pattern 'P': 't.two_result' has 2 results: say which by '$op__N'}}
// UPSTREAM: takes, and means any of the results
