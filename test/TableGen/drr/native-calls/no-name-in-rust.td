include "../ops.td"

def P : Pat<(AOp $x, $attr), (NativeCodeCall<"crate::match($0)"> $x)>;
// expected-error@-1:30 {{pattern 'P': the native call 'crate::match($0)' has 'match' in its path, which is no name in Rust}}
// UPSTREAM: takes, C++ has no such word
