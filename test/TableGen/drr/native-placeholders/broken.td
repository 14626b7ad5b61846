// What is no expression of C++ is no native call.

include "../ops.td"

def P : Pat<(AOp $x, $a), (NativeCodeCall<"auto y = $0; return y"> $x)>;
// expected-error@-1:27 {{pattern 'P': the native call 'auto y = $0; return y' is no expression: ';' ends a statement, and this is an expression}}
def Q : Pat<(AOp $x, $a), (NativeCodeCall<"make($0) +"> $x)>;
// expected-error@-1:27 {{pattern 'Q': the native call 'make($0) +' is no expression: nothing stands behind '+'}}
def R : Pat<(AOp $x, $a), (NativeCodeCall<"make($18446744073709551616)"> $x)>;
// expected-error@-1:27 {{pattern 'R': the native call 'make($18446744073709551616)' has $18446744073709551616, but one argument is given}}
def S : Pat<(AOp $x, $a), (NativeCodeCall<"make($, $0)"> $x)>;
// expected-error@-1:27 {{pattern 'S': the native call 'make($, $0)' has '$', which stands for nothing}}
// Statements return nothing.
def T : Pattern<(PaintOp $x, Red), [(NativeCodeCallVoid<"note($0); note($0);"> $x), (OneResultOp $x)]>;

// UPSTREAM: takes, what is wrong is the C++
