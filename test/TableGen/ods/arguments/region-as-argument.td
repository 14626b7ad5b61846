include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins AnyRegion:$x); }
// expected-error@-1:43 {{argument 'x' is 'AnyRegion', which is neither a type nor an attribute}}
