include "../ops.td"

def Same : Constraint<CPred<"$0.getType() == $1.getType()">, "same types">;
def P : Pat<(DOp:$r $x, $y), (OneResultOp $x), [(Same $r)]>;
// expected-error@-1:49 {{pattern 'P': the constraint 'same types' has $1, but one argument is given}}
// UPSTREAM: takes, the C++ has the placeholder
def Plain : Constraint<CPred<"f($0, $1)">>;
def R : Pat<(AOp $x, $a), (COp $x, $a), [(Plain $x), (Constraint<CPred<"f($0, $1)">> $x)]>;
// expected-error@-1:42 {{pattern 'R': the constraint 'Plain' has $1, but one argument is given}}
// expected-error@-2:54 {{pattern 'R': this constraint has $1, but one argument is given}}
