include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a">;
def A : Op<T, "b">;
// expected-error@-1:5 {{def already exists: A}}
