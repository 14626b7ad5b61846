// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1, "a">;
def Y : I32EnumAttrCase<"Y", 2, "a">;
// expected-error@-1:5 {{enumeration 'E': 'Y' has the text 'a' of 'X'}}
def E : I32EnumAttr<"E", "e", [X, Y]>;
// UPSTREAM: takes, and reads back the first
