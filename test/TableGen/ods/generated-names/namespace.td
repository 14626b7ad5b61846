include "mlir/IR/OpBase.td"
def TF : Dialect { let name = "tf"; let cppNamespace = "::A::B"; }
def TF_AddOp : Op<TF, "add">;
