include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def : Op<T, "a">;
// expected-error@-1:1 {{an operation needs a name of its definition}}
// UPSTREAM: takes, its class is called by a number
