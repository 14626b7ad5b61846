include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "">;
// expected-error@-1:15 {{operation 'A' needs a name}}
// UPSTREAM: takes, text could not name it
