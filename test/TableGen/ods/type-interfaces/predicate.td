// GENERATE: op-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def P : PredTrait<"it is big", CPred<"$_self.isBig()">>;
def A : TypeDef<T, "A", [P]> { let mnemonic = "a"; }
// expected-error@-1:5 {{'P' is no trait of types}}
// UPSTREAM: takes, without a word
