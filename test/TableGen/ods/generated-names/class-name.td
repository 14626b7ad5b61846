include "mlir/IR/OpBase.td"
def TF : Dialect { let name = "tf"; }
def TF_AddOp : Op<TF, "add">;
def SubOp : Op<TF, "sub">;
def TF_Mul_Op : Op<TF, "mul">;
// CHECK: pub struct AddOp<'c, 'a>
// CHECK: pub struct SubOp<'c, 'a>
// CHECK: pub struct MulOp<'c, 'a>
