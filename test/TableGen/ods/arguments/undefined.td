include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I33:$x); }
// expected-error@-1:43 {{Variable not defined: 'I33'}}
