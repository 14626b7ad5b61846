include "../ops.td"

def P : Pat<(DOp:$r $x, $y), (OneResultOp $x), [(F32Tensor $x, $y)]>;
// expected-error@-1:49 {{pattern 'P': a type constraint is about one value, not 2}}
