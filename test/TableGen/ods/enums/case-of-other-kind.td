// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I64EnumAttrCase<"X", 1>;
def E : I32EnumAttr<"E", "e", [X]>;
// expected-error@-1:34 {{Element type mismatch for list: element type 'I64EnumAttrCase' not convertible to 'I32EnumAttrCase}}
