include "../ops.td"

def P : Pattern<(DOp $x, $y), [(ZeroResultOp $made), (DOp (OneResultOp:$made $x), $y)], [(HasNoUseOf:$x)]>;
// expected-error@-1:46 {{pattern 'P': '$made' is not bound}}
// UPSTREAM: takes, the C++ uses what it declares later
