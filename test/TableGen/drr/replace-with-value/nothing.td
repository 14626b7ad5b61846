include "../ops.td"

def P : Pattern<(AOp $x, $a), [(replaceWithValue $x), (COp $x, $a)]>;
// expected-warning@-1:50 {{pattern 'P': this replaces nothing: the last results do}}
def Q : Pat<(PaintOp $x, Red), (OneResultOp $x), [], [(replaceWithValue $x)]>;
// expected-warning@-1:73 {{pattern 'Q': this replaces nothing: the last results do}}
