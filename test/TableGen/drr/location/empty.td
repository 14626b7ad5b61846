include "../ops.td"

def P : Pat<(OneResultOp $x), (DOp $x, $x, (location))>;
// expected-error@-1:44 {{pattern 'P': 'location' needs bound names or a string}}
