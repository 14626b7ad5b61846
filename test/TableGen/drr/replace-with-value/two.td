include "../ops.td"

def P : Pat<(DOp $x, $y), (replaceWithValue $x, $y)>;
// expected-error@-1:27 {{pattern 'P': 'replaceWithValue' takes one bound name}}
