include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs I32:$x, I32:$x); }
// expected-error@-1:50 {{two results are named 'x'}}
