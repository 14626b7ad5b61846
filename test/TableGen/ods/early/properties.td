include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [Commutative, NoSideEffect]>;
// expected-warning@-1:34 {{'NoSideEffect' is called 'Pure' now}}
// UPSTREAM: refuses, this is the text's spelling
