include "../ops.td"

def P : Pat<(AOp $x, $a), (COp $x, $a), [(AnySuccessor:$x)]>;
// expected-error@-1:42 {{pattern 'P': 'AnySuccessor' is about no value and no attribute, which names stand for}}
def Q : Pat<(AOp $x, $a), (COp $x, $a), [(AnyRegion $x)]>;
// expected-error@-1:42 {{pattern 'Q': 'AnyRegion' is about no value and no attribute, which names stand for}}
