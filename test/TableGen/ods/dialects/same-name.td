include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def U : Dialect { let name = "t"; }
// expected-error@-1:5 {{'T' is dialect 't' as well}}
def A : Op<T, "a">;
def B : Op<U, "b">;
