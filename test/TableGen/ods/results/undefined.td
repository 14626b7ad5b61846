include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs TensorX:$y); }
// expected-error@-1:42 {{Variable not defined: 'TensorX'}}
