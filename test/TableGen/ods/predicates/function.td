include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def HasSomeProperty : AttrConstraint<CPred<"HasSomeProperty($_self)">, "has some property">;
def A : Op<T, "a"> { let arguments = (ins I32:$x, HasSomeProperty:$attr); }
// UPSTREAM: refuses, the text takes an AttrConstraint
// CHECK: fn is_has_some_property(this: Attribute<'_>) -> bool;
