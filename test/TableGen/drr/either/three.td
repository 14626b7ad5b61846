include "../ops.td"

def P : Pat<(DOp (either $a, $b, $c)), (OneResultOp $a)>;
// expected-error@-1:18 {{pattern 'P': 'either' takes two operands}}
