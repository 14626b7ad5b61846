include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<(ins "float":$x)>, OpBuilder<(ins "float":$x)>, OpBuilder<(ins "int":$x)>];
}
// UPSTREAM: refuses, its functions are one in C++
