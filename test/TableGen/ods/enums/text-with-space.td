// GENERATE: enum-defs enum-doc op-defs op-decls dialect-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def X : I32EnumAttrCase<"X", 1, "a b">;
def Y : I32EnumAttrCase<"Y", 2, "">;
def E : I32EnumAttr<"E", "e", [X, Y]>;
def A : Op<T, "a"> { let arguments = (ins E:$e); let assemblyFormat = "$e attr-dict"; }
