include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def add : Op<T, "add">;
