// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def E : I32EnumAttr<"E", "e", [I32]>;
// expected-error@-1:36 {{Element type mismatch for list: element type 'I' not convertible to 'I32EnumAttrCase}}
