include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<(ins CArg<"float", "0.5f">:$x, "float":$y)>];
// expected-error@-1:19 {{a parameter without a default value stands behind one that has one}}
}
