// What C++ says of things that have no such thing is asked of Rust, as only the author knows what it means.

include "../ops.td"

def IsInteger : Constraint<CPred<"isa<IntegerAttr>($0)">, "is an integer">;
def HasElements : Constraint<CPred<"getElementTypeOrSelf($0) == getElementTypeOrSelf($0)">, "has elements">;
def IsContained : Constraint<CPred<"llvm::is_contained($0, $0)">, "is contained">;
def IsTwice : Constraint<CPred<"$0[0] == $0[1]">, "is twice there">;
def HasTypes : Constraint<CPred<"$0.getTypes() == $0.getTypes()">, "has types">;
def P : Pat<(AOp $x, $a), (COp $x, $a), [(IsInteger $a), (IsInteger $x), (HasElements $x), (HasElements $a), (IsContained $x)]>;
// CHECK: let holds = predicate::is_integer_attr(p0);
// CHECK: fn is_integer<'c, 'a>(&self, value: Value<'c, 'a>) -> bool;
// CHECK: fn has_elements<'c>(&self, attribute: Attribute<'c>) -> bool;
// CHECK: fn is_contained<'c, 'a>(&self, value: Value<'c, 'a>) -> bool;
def Q : Pat<(ConcatenateOp $xs, $_), (VStackOp $xs), [(IsTwice $xs), (HasTypes $xs)]>;
// CHECK: fn is_twice<'c, 'a>(&self, values: &[Value<'c, 'a>]) -> bool;
// CHECK: let holds = predicate::types_of(&p0) == predicate::types_of(&p0);

// Lists that are written say it themselves.
def IsLayout : Constraint<CPred<"llvm::is_contained({\"NCX\", \"NXC\"}, cast<StringAttr>($0).getValue())">, "is a layout">;
def R : Pat<(OneAttrOp $a), (TwoAttrOp $a, $a), [(IsLayout $a)]>;
// CHECK: let holds = ["NCX", "NXC"].contains(&predicate::string(p0).as_str());
