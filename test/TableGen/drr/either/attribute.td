include "../ops.td"

def P : Pat<(AOp (either $a, $b)), (OneResultOp $a)>;
// expected-error@-1:18 {{pattern 'P': argument 'a_attr' of 't.a' cannot be in 'either'}}
