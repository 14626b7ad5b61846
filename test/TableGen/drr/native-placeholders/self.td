include "../ops.td"

def P : Pat<(AOp $x, $attr), (NativeCodeCall<"make($_self, $0)"> $x)>;
// expected-error@-1:30 {{pattern 'P': '$_self' of 'make($_self, $0)' stands for nothing here}}
// UPSTREAM: takes, the C++ has the placeholder
