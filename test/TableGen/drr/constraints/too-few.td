include "../ops.td"

def Same : Constraint<CPred<"$0.getType() == $1.getType()">, "same types">;
def P : Pat<(DOp:$r $x, $y), (OneResultOp $x), [(Same $r)]>;
// expected-error@-1:49 {{pattern 'P': the constraint 'same types' has $1, but one argument is given}}
// UPSTREAM: takes, the C++ has the placeholder
