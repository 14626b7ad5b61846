include "mlir/IR/OpBase.td"
def T : Dialect { let name = "my dialect"; }
// expected-error@-1:23 {{'my dialect' is no name of a dialect}}
def A : Op<T, "a">;
// UPSTREAM: takes, MLIR refuses the dialect when it is loaded
