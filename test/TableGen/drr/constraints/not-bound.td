include "../ops.td"

def Same : Constraint<CPred<"$0.getType() == $1.getType()">, "same types">;
def P : Pat<(DOp:$r $x, $y), (OneResultOp $x), [(Same $r, $z)]>;
// expected-error@-1:59 {{pattern 'P': '$z' is not bound}}
