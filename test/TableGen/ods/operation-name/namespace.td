include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "A::B"; }
def TF_AddOp : Op<T, "add">;
def AddOp2 : Op<T, "add2">;
def A_B_C : Op<T, "abc">;
// CHECK: pub struct AddOp<'c, 'a>
