include "../ops.td"

def P : Pat<(AOp $x, $attr), (COp $x, $attr, (returnType $x))>;
// expected-error@-1:46 {{pattern 'P': what replaces the root has the types of the root: 'returnType' cannot change them}}
