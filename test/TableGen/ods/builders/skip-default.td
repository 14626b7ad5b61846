include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let arguments = (ins I32:$x);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "Value":$x)>];
}
