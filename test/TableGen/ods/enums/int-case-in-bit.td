// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1>;
def E : I32BitEnumAttr<"E", "e", [X]>;
// expected-error@-1:37 {{Element type mismatch for list: element type 'I32EnumAttrCase' not convertible to 'BitEnumCaseBase}}
