include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let regions = (region VariadicRegion<AnyRegion>:$z, AnyRegion:$x); }
// expected-error@-1:44 {{only the last region can be variadic}}
