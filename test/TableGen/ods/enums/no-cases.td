// GENERATE: enum-defs enum-doc op-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def E : I32EnumAttr<"E", "e", []>;
