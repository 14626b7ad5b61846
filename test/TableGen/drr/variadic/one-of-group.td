include "../ops.td"

def P : Pat<(VStackOp (variadic:$xs $a, $_)), (DOp $xs__1, $xs__0), [(HasNoUseOf:$xs__1)]>;
def Q : Pat<(ConcatenateOp (variadic:$xs $a, $b), $_), (DOp $xs__0, $xs__2)>;
// expected-error@-1:69 {{pattern 'Q': '$xs__2' is not there: '$xs' has 2 values}}
// UPSTREAM: takes, the C++ asks for what is not there
