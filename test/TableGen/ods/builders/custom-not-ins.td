include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<(outs "float":$val)>];
// expected-error@-1:19 {{'dagParams' must start with 'ins', not 'outs'}}
}
