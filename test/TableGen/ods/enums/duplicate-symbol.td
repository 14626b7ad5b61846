// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1>;
def Y : I32EnumAttrCase<"X", 2>;
// expected-error@-1:5 {{enumeration 'E' has the case 'X' twice}}
def E : I32EnumAttr<"E", "e", [X, Y]>;
// UPSTREAM: takes, C++ refuses the cases
