include "../ops.td"

def P : Pattern<(TwoResultOp:$r $x), [(OneResultOp $x), (OneResultOp $x)], [(HasNoUseOf:$r__2)]>;
// expected-error@-1:77 {{pattern 'P': 't.two_result' has no result 2}}
