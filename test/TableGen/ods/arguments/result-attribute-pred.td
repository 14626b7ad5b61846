include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins CPred<"true">:$x); }
// expected-error@-1:43 {{argument 'x' is 'CPred<"true">', which is neither a type nor an attribute}}
