include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let regions = (ins AnyRegion:$x); }
// expected-error@-1:26 {{'regions' must start with 'region', not 'ins'}}
