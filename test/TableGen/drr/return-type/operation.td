include "../ops.td"

def P : Pat<(AOp $x, $attr), (OneResultOp (AOp $x, $attr, (returnType (BOp))))>;
// expected-error@-1:71 {{pattern 'P': 'returnType' takes bound names, strings and native calls}}
