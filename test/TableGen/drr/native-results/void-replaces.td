include "../ops.td"

def P : Pat<(AOp $x, $attr), (NativeCodeCallVoid<"note($0)"> $x)>;
// expected-error@-1:5 {{pattern 'P': the root has 1 results, the pattern gives 0}}
