include "../ops.td"

def P : Pat<(DOp:$r $x, $y), (OneResultOp $x), [(OneResultOp $r)]>;
// expected-error@-1:49 {{pattern 'P': 'OneResultOp' is not a constraint}}
