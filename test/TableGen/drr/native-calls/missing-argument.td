include "../ops.td"

def P : Pat<(AOp $x, $attr), (NativeCodeCall<"make($0, $2)"> $x, $attr)>;
// expected-error@-1:30 {{pattern 'P': the native call 'make($0, $2)' has $2, but 2 arguments are given}}
// UPSTREAM: takes, the C++ has the placeholder
