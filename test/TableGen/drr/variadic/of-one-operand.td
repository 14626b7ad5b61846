include "../ops.td"

def P : Pat<(AOp (variadic $x), $attr), (COp $x, $attr)>;
// expected-error@-1:18 {{pattern 'P': operand 'a_input' is one value, not a group}}
