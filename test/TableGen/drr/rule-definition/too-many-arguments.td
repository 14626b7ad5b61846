include "../ops.td"

def P : Pat<(AOp $input, $attr, $more), (COp $input, $attr)>;
// expected-error@-1:33 {{pattern 'P': operation 't.a' has 2 arguments, the pattern gives 3}}
