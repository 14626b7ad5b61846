include "../ops.td"

def P : Pat<(AOp $input, F32:$attr), (COp $input, $attr)>;
// expected-error@-1:26 {{pattern 'P': 'F32' is not an attribute constraint, which an attribute needs}}
