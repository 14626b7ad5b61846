// GENERATE: enum-defs enum-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"self", 1>;
def Y : I32EnumAttrCase<"1x", 2>;
def Z : I32EnumAttrCase<"a-b", 3>;
def E : I32EnumAttr<"E", "e", [X, Y]>;
