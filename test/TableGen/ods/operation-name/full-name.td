include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def T_AddOp : Op<T, "Add">;
// CHECK: pub const NAME: &'static str = "t.Add";
// CHECK: pub struct AddOp<'c, 'a>
