include "../ops.td"

def P : Pat<(AOp $input), (COp $input, $attr)>;
// expected-error@-1:13 {{pattern 'P': operation 't.a' has 2 arguments, the pattern gives 1}}
