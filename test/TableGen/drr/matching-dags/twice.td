include "../ops.td"

def P : Pat<(DOp (BOp:$b), (BOp:$b)), (replaceWithValue $b)>;
// expected-error@-1:18 {{pattern 'P': '$b' is bound twice}}
