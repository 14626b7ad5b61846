// GENERATE: typedef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : TypeDef<T, "A"> { let mnemonic = "a"; }
def B : TypeDef<T, "B"> { let mnemonic = "a"; }
// expected-error@-1:5 {{'A' and 'B' are both types '!t.a'}}
// UPSTREAM: takes, text could name one only
