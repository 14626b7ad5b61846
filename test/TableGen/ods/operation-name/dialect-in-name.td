include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "t.a">;
