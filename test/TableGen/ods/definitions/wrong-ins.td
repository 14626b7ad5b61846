// GENERATE: typedef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : TypeDef<T, "A"> { let mnemonic = "a"; let parameters = (outs "int":$n); let assemblyFormat = "`<` $n `>`"; }
// expected-error@-1:51 {{'parameters' must start with 'ins', not 'outs'}}
// UPSTREAM: takes, whatever the operator
