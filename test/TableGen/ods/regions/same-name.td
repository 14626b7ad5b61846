include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x); let regions = (region AnyRegion:$x); }
// expected-error@-1:74 {{operation 't.a' has region and operand of the name 'x'}}
