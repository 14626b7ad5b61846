include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let builders = [OpBuilder<"Builder *builder, OperationState &state, Value lhs, ArrayRef<int64_t> dims = {}">];
// expected-warning@-1:29 {{the parameters of 'OpBuilder' are written as '(ins "Value":$lhs, CArg<"ArrayRef<int64_t>", "{}">:$dims)' now}}
}
// UPSTREAM: refuses, this is the text's spelling
