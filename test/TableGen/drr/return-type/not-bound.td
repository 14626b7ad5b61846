include "../ops.td"

def P : Pat<(AOp $x, $attr), (OneResultOp (AOp $x, $attr, (returnType $typ)))>;
// expected-error@-1:71 {{pattern 'P': '$typ' is not bound}}
