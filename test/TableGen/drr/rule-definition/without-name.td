// A pattern without a name is called by what it matches. One slip in both orders of 'either' is told once.

include "../ops.td"

def : Pat<(DOp (either $x, (BOp)), $z), (OneResultOp $x)>;
// expected-error@-1:36 {{pattern 'DOp_1': operation 't.d' has 2 arguments, the pattern gives 3}}
def : Pat<(DOp (either $x, (BOp))), (OneResultOp $y)>;
// expected-error@-1:50 {{pattern 'DOp_2': '$y' is not bound}}
