include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins "int":$x); }
// expected-error@-1:43 {{an entry of 'arguments' is not a constraint}}
