include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (outs I32:$x); }
// expected-error@-1:26 {{'arguments' must start with 'ins', not 'outs'}}
// UPSTREAM: takes, the text asks for 'ins'
