include "../ops.td"

def Pack : NativeCodeCall<"pack($0)", 2>;
def P : Pattern<(TwoResultOp $x), [(OneResultOp (Pack:$res__0 $x)), (OneResultOp $res__2)]>;
// expected-error@-1:82 {{pattern 'P': '$res__2' is not there: the call returns 2 values}}
// UPSTREAM: takes, the C++ does not compile
