include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a">;
def B : A;
// expected-error@-1:9 {{Couldn't find class 'A'}}
