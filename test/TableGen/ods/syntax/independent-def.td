include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyDef;
def A : Op<T, "a">;
