include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<(ins "float":$x)>, OpBuilder<(ins "float":$x)>, OpBuilder<(ins "int":$x)>];
// expected-error@-1:48 {{an earlier builder takes (float) already}}
// TOLD: in field 'builders' of 'MyOp'
}
