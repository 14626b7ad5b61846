// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32BitEnumAttrCase<"X", 1>;
def E : I32EnumAttr<"E", "e", [X]>;
// expected-error@-1:34 {{Element type mismatch for list: element type 'I32BitEnumAttrCase' not convertible to 'I32EnumAttrCase}}
