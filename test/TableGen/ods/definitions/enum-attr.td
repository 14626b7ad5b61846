// GENERATE: op-decls attrdef-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def C : I32EnumAttr<"C", "c", [I32EnumAttrCase<"A", 0, "a">]> { let cppNamespace = "::t"; let genSpecializedAttr = 0; }
def A : EnumAttr<T, C, "c">;
def X : Op<T, "x"> { let arguments = (ins A:$a); let assemblyFormat = "$a attr-dict"; }
