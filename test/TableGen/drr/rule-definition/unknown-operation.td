include "../ops.td"

def P : Pat<(AnyOp $input, $attr), (COp $input, $attr)>;
// expected-error@-1:14 {{Variable not defined: 'AnyOp'}}
