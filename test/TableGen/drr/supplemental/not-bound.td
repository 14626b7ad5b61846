include "../ops.td"

def P : Pattern<(OneResultOp $x), [(DOp $x, $x)], [], [(ZeroResultOp $made)]>;
// expected-error@-1:70 {{pattern 'P': '$made' is not bound}}
