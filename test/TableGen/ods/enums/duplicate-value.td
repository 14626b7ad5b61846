// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1>;
def Y : I32EnumAttrCase<"Y", 1>;
def E : I32EnumAttr<"E", "e", [X, Y]>;
