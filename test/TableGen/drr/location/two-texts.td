include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp $x, $x, (location "a", "b"))>;
// expected-error@-1:59 {{pattern 'P': 'location' takes one string}}
