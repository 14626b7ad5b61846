// GENERATE: typedef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : TypeDef<T, "A"> { let parameters = (ins "int":$n); let assemblyFormat = "`<` $n `>`"; }
// expected-error@-1:5 {{Initializer of 'typeName' in 'A' could not be fully resolved: !strconcat("t", !strconcat(".", mnemonic))}}
