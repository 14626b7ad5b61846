// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 5000000000>;
// expected-error@-1:5 {{enumeration 'E': 32 bits have no room for the value 5000000000 of 'X'}}
def E : I32EnumAttr<"E", "e", [X]>;
// UPSTREAM: takes, C++ refuses the value
