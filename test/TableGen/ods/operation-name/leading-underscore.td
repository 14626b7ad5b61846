include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def _AddOp : Op<T, "add">;
