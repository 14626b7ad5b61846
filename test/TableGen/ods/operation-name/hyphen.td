include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a-b">;
// expected-error@-1:15 {{'a-b' is no name of an operation}}
// UPSTREAM: takes, text could not name it without quotes
