include "mlir/IR/OpBase.td"
def TF : Dialect { let name = "tf"; let cppNamespace = "a b"; }
def TF_AddOp : Op<TF, "add">;
