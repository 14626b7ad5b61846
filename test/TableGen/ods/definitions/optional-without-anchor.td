// GENERATE: attrdef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : AttrDef<T, "A"> { let mnemonic = "a"; let parameters = (ins OptionalParameter<"int">:$n); let assemblyFormat = "(`<` $n `>`)?"; }
// expected-error@-1:121 {{assembly format: optional group has no anchor element}}
