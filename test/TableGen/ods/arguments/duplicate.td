include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x,
   F32:$x); }
// expected-error@-1:4 {{two arguments are named 'x'}}
