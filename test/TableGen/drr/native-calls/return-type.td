include "../ops.td"

def P : Pat<(AOp $x, $attr), (NativeCodeCall<"make($0)"> $x, (returnType $x))>;
// expected-error@-1:62 {{pattern 'P': a native call has no 'returnType': what it returns is what is needed}}
