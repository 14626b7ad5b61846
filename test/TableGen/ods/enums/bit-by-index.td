// GENERATE: enum-defs enum-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32BitEnumAttrCaseBit<"X", 0>;
def Y : I32BitEnumAttrCaseBit<"Y", 3>;
def G : I32BitEnumAttrCaseGroup<"G", [X, Y]>;
def E : I32BitEnumAttr<"E", "e", [X, Y, G]> { let separator = ", "; }
