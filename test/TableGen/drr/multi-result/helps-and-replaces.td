include "../ops.td"

def P : Pattern<(ThreeResultOp $x), [(TwoResultOp $x), (TwoResultOp $x)]>;
// expected-error@-1:38 {{pattern 'P': an operation cannot both help and replace the root: it has more results than are left}}
