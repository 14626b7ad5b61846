include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "1a">;
