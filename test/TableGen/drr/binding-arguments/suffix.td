include "../ops.td"

def P : Pat<(DOp $x__0, $y), (OneResultOp $y)>;
// expected-error@-1:18 {{pattern 'P': '$x__0' names a result, which an argument is not}}
