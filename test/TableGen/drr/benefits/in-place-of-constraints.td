include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x, $attr), [(addBenefit 10)]>;
// expected-error@-1:48 {{pattern 'P': 'addBenefit' is not a constraint}}
