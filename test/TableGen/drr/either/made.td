include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp (either $x, $x))>;
// expected-error@-1:31 {{pattern 'P': operation 't.d' has 2 arguments, the pattern gives 1}}
