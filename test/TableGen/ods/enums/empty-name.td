// GENERATE: enum-defs enum-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1>;
def E : I32EnumAttr<"", "e", [X]>;
// expected-error@-1:5 {{enumeration 'E' needs 'className'}}
// UPSTREAM: takes, C++ refuses a class without name
