include "../ops.td"

def P : Pat<(OptionsOp $x, (variadic $a, $b), $_, $_, $_, $_), (DOp $a, $b)>;
// expected-error@-1:28 {{pattern 'P': operand 'bias' is one value at most}}
