include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> { let skipDefaultBuilders = 1; }
// expected-error@-1:37 {{default builders are skipped and no custom builders provided}}
