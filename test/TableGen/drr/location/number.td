include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp $x, $x, (location 3))>;
// expected-error@-1:54 {{pattern 'P': 'location' takes bound names and one string}}
