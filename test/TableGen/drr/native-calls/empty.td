include "../ops.td"

def P : Pat<(AOp $x, $attr), (NativeCodeCall<""> $x, $attr)>;
// expected-error@-1:30 {{pattern 'P': the native call says nothing}}
// UPSTREAM: takes, the C++ does not compile
