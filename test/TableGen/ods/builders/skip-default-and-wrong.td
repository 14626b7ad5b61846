include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "int":$x)>, OpBuilder<(ins "int":$y)>];
// expected-error@-1:46 {{an earlier builder takes (int) already}}
}
