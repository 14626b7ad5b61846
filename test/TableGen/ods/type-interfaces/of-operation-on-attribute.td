// GENERATE: op-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : OpInterface<"I">;
def A : AttrDef<T, "A", [DeclareOpInterfaceMethods<I>]> { let mnemonic = "a"; }
// expected-error@-1:26 {{'I::Trait' is no trait of attributes}}
// UPSTREAM: takes, the C++ compiler refuses it
