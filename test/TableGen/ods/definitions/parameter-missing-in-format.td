// GENERATE: typedef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : TypeDef<T, "A"> { let mnemonic = "a"; let parameters = (ins "int":$n, "int":$m); let assemblyFormat = "`<` $n `>`"; }
// expected-error@-1:112 {{assembly format: format is missing reference to parameter: m}}
