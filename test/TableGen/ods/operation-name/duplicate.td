include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a">;
def B : Op<T, "a">;
// expected-error@-1:5 {{'A' is operation 't.a' as well}}
// UPSTREAM: takes, C++ has two classes of one operation
