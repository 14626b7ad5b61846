include "../ops.td"

def P : Pattern<(ThreeResultOp:$results $x), [(OneResultOp $results__0), (OneResultOp $x), (OneResultOp $results__2)]>;
// expected-warning@-1:60 {{pattern 'P': what replaces a result of the root 't.three_result' depends on that result}}
// expected-warning@-2:105 {{pattern 'P': what replaces a result of the root 't.three_result' depends on that result}}
def Q : Pattern<(TwoResultOp:$results $x), [(OneResultOp $x), (OneResultOp $results__0)]>;
