include "../ops.td"

def P : Pat<(OneResultOp:$o $x), (DOp $x, $x, (location $o), (location "a"))>;
// expected-error@-1:62 {{pattern 'P': 'location' is given twice}}
