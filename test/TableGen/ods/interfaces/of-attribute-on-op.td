// GENERATE: op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : AttrInterface<"MyInterface">;
def B : Op<T, "b", [A]>;
// expected-error@-1:5 {{'MyInterface::Trait' is no trait of operations}}
