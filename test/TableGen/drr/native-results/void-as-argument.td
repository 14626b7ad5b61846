include "../ops.td"

def Note : NativeCodeCallVoid<"note($0)">;
def P : Pat<(AOp $x, $attr), (OneResultOp (Note $x))>;
// expected-error@-1:43 {{pattern 'P': one value is needed, and nothing is returned here}}
