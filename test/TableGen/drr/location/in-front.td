include "../ops.td"

def P : Pat<(OneResultOp:$o $x), (DOp (location $o), $x, $x)>;
// expected-error@-1:54 {{pattern 'P': 'returnType' and 'location' stand behind all arguments}}
