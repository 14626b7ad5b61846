// GENERATE: op-decls typedef-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : TypeDef<T, "A"> { let mnemonic = "a"; }
def B : AttrDef<T, "A"> { let mnemonic = "a"; }
