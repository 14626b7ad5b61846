include "../ops.td"

def P : Pat<(AOp $x, $a), (OneResultOp (DOp $x, $x, (returnType "$_builder.getI32Type(")))>;
// expected-error@-1:65 {{pattern 'P': the native call '$_builder.getI32Type(' lacks ')'}}
def Q : Pat<(COp $x, $a), (NativeCodeCall<"make($0))"> $x)>;
// expected-error@-1:27 {{pattern 'Q': the native call 'make($0))' closes ')', which is not open}}
// UPSTREAM: takes, the C++ does not compile
