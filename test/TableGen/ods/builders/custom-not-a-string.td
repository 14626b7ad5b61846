include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<(ins F32:$val)>];
// expected-error@-1:19 {{a parameter must be a string with a C++ type, or a CArg}}
}
