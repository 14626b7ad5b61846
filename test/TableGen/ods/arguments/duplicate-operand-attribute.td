include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x, I32Attr:$x); }
// expected-error@-1:51 {{two arguments are named 'x'}}
