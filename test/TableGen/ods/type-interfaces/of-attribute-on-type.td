// GENERATE: op-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : AttrInterface<"I"> { let cppNamespace = "::t"; }
def A : TypeDef<T, "A", [I]> { let mnemonic = "a"; }
// expected-error@-1:5 {{'I::Trait' is no trait of types}}
// UPSTREAM: takes, the C++ compiler refuses it
