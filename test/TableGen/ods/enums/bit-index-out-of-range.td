// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32BitEnumAttrCaseBit<"X", 40>;
// expected-error@-1:5 {{assertion failed in this record}}
def E : I32BitEnumAttr<"E", "e", [X]>;
