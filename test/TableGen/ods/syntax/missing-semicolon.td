include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a">
def B : Op<T, "b">;
// expected-error@-1:1 {{Expected '{' to start body or ';' for declaration only}}
