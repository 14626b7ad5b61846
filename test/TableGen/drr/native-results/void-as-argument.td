include "../ops.td"

def Note : NativeCodeCallVoid<"note($0)">;
def P : Pat<(AOp $x, $attr), (OneResultOp (Note $x))>;
// expected-error@-1:43 {{pattern 'P': one value is needed, 0 are given}}
