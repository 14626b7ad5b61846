include "mlir/IR/OpBase.td"
def T : Dialect { let name = ""; }
// expected-error@-1:23 {{dialect 'T' needs 'name'}}
def A : Op<T, "a">;
def B : Op<T, "b">;
// UPSTREAM: takes, names begin with a dot
