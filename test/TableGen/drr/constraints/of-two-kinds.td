// C++ compares values and attributes by functions of its own, which Rust asks for.

include "../ops.td"

def K : Constraint<CPred<"$0 == $1">, "are equal">;
def P : Pat<(AOp $x, $a), (COp $x, $a), [(K $x, $a)]>;
// CHECK: fn k<'c, 'a>(&self, value: Value<'c, 'a>, attribute: Attribute<'c>) -> bool;
def Q : Pat<(DOp $x, $y), (OneResultOp $x), [(K $x, $y)]>;
// CHECK: let holds = p0 == p1;
