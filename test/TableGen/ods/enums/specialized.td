// GENERATE: enum-defs attrdef-doc op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumCase<"X", 1, "x">;
def E : I32Enum<"E", "e", [X]> { let cppNamespace = "t"; }
def EAttr : EnumAttr<T, E, "e">;
def A : Op<T, "a"> { let arguments = (ins EAttr:$e); let assemblyFormat = "$e attr-dict"; }
