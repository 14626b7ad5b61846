include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32Attr); }
// expected-error@-1:43 {{an attribute needs a name}}
