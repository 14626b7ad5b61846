// Only `$_builder`, `$_loc`, `$_self` and positions stand for something.

include "../ops.td"

def P : Pat<(AOp $x, $a), (NativeCodeCall<"make($_bulder, $0)"> $x)>;
// expected-error@-1:27 {{pattern 'P': the native call 'make($_bulder, $0)' has '$_bulder', which stands for nothing}}
def Q : Pat<(AOp $x, $a), (COp $x, (NativeCodeCall<"make($a)"> $a))>;
// expected-error@-1:36 {{pattern 'Q': the native call 'make($a)' has '$a', which stands for nothing}}

// No operation is given to a constraint.
def K : Constraint<CPred<"$_op.getAttr($0)">, "has it">;
def R : Pat<(AOp $x, $a), (COp $x, $a), [(K $a)]>;
// expected-error@-1:42 {{pattern 'R': '$_op' of 'K' stands for nothing in a pattern}}
def S : Pat<(AOp $x, AttrConstraint<CPred<"$_self == $x">, "is it">:$a), (COp $x, $a)>;
// expected-error@-1:22 {{pattern 'S': '$x' of this constraint stands for nothing in a pattern}}

// UPSTREAM: takes, what is wrong is the C++
