// GENERATE: attrdef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : AttrDef<T, "A"> { let mnemonic = "a"; let parameters = (ins "int":$n); let assemblyFormat = "(`<` $n^ `>`)?"; }
// expected-error@-1:107 {{assembly format: parameters in an optional group must be optional}}
