include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<"float val">];
// expected-warning@-1:29 {{the parameters of 'OpBuilder' are written as '(ins "float":$val)' now}}
}
// UPSTREAM: refuses, this is the text's spelling
