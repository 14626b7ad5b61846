include "../ops.td"

def P : Pat<(OneResultOp $x), (COp $x, ?)>;
// expected-error@-1:31 {{pattern 'P': attribute 'c_attr' must be given}}
