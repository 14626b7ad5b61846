include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<(ins "float":$x, "float":$x)>];
// expected-error@-1:19 {{two parameters are named 'x'}}
}
// UPSTREAM: takes, C++ refuses the function
