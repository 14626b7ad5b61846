include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x, $attr), [], [], (addBenefit -2)>;
// expected-error@-1:5 {{pattern 'P': the benefit is that of 1 operations and -2 more, which is not between 0 and 32767}}
// UPSTREAM: takes, the C++ wants an unsigned number
