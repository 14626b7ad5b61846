include "../ops.td"

def P : Pat<(OneResultOp $x), (replaceWithValue (BOp))>;
// expected-error@-1:31 {{pattern 'P': 'replaceWithValue' takes one bound name}}
