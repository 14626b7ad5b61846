include "../ops.td"

def P : Pat<(AOp $input, $attr), (COp (BuiltOp $input, $attr, ?), $attr)>;
// expected-error@-1:39 {{pattern 'P': a builder that deduces types needs all attributes}}
