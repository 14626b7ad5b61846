include "../ops.td"

def P : Pat<(AOp $x, $a), (NativeCodeCall<"$0.getType()"> $x)>;
// expected-error@-1:27 {{pattern 'P': what replaces the root is to be a value, which this is not}}
def Q : Pat<(AOp $x, $a), (NativeCodeCall<"$_builder.getUnitAttr()">)>;
// expected-error@-1:27 {{pattern 'Q': what replaces the root is to be a value, which this is not}}
// UPSTREAM: takes, the C++ does not compile
