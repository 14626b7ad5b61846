include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Hidden : Op<T, "hidden", []> {
  let builders = [
    OpBuilder<(ins "::mlir::Value":$x, CArg<"int", "0">:$y)>,
    OpBuilder<(ins "Value":$v)>];
// expected-error@-1:5 {{an earlier builder takes (Value) already}}
}
// What is found first has fewer parameters: calls with one are those of it.
def Beside : Op<T, "beside", []> {
  let builders = [OpBuilder<(ins "int":$x)>, OpBuilder<(ins "int":$x, "int":$y)>, OpBuilder<(ins "float":$x)>];
}
// UPSTREAM: takes, it compares types as they are written
