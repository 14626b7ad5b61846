include "../ops.td"

def P : Pat<(DOp $x, $y), (OneResultOp:$made $x), [(HasNoUseOf:$made)]>;
// expected-error@-1:52 {{pattern 'P': '$made' is not bound}}
