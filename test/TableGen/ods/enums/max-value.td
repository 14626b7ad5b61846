// GENERATE: enum-defs enum-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 2147483647>;
def Y : I32EnumAttrCase<"Y", 4294967295>;
def E : I32EnumAttr<"E", "e", [X, Y]>;
