include "../ops.td"

def P : Pat<(AOp $x, $attr), (OneResultOp (AOp $x, $attr, (returnType $attr)))>;
// expected-error@-1:71 {{pattern 'P': '$attr' is an attribute; a value is needed}}
// UPSTREAM: takes, the C++ does not compile
