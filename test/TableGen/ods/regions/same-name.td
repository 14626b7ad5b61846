include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x); let regions = (region AnyRegion:$x); }
// expected-error@-1:74 {{region and operand have one name, 'x'}}
