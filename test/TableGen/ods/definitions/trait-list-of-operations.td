// GENERATE: typedef-defs
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def T : Dialect { let name = "t"; }
def X : TypeDef<T, "X", [Pure]> { let mnemonic = "x"; }
// expected-error@-1:5 {{'Pure' is no trait of types}}
// TOLD: in field 'traits' of 'X'
