include "mlir/IR/OpBase.td"
def TF : Dialect { let name = "tf"; let cppNamespace = "a"; }
def TF_AddOp : Op<TF, "add"> { let cppNamespace = "b"; }
def TF_SubOp : Op<TF, "sub">;
