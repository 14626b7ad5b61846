// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32BitEnumAttrCase<"X", 3>;
def E : I32BitEnumAttr<"E", "e", [X]>;
