// GENERATE: enum-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X">;
// expected-error@-1:9 {{value not specified for template argument 'I32EnumAttrCase:val'}}
def E : I32EnumAttr<"E", "e", [X]>;
