include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp I32:$x, $attr)>;
// expected-error@-1:35 {{pattern 'P': 'I32' cannot constrain '$x' here: state it in the source pattern}}
// UPSTREAM: takes, the constraint is lost
