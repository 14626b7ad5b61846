include "../ops.td"

def P : Pat<(AOp F32Attr:$input, $attr), (COp $input, $attr)>;
// expected-error@-1:18 {{pattern 'P': 'F32Attr' is not a type constraint, which an operand needs}}
