include "../ops.td"

def K : Constraint<CPred<"holds($0)">, "holds">;
def P : Pat<(AOp $x, $a), (COp $x, $a), [(K $x, $a)]>;
// expected-warning@-1:49 {{pattern 'P': the constraint 'holds' has no $1, so '$a' is not asked}}
