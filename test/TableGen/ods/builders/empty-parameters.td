include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> { let builders = [OpBuilder<(ins)>]; }
