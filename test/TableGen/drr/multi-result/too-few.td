include "../ops.td"

def P : Pattern<(ThreeResultOp $x), [(OneResultOp $x), (OneResultOp $x)]>;
// expected-error@-1:5 {{pattern 'P': the root has 3 results, the pattern gives 2}}
