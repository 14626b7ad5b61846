include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [NativeOpTrait<"">]>;
// expected-error@-1:21 {{a trait needs a name}}
// TOLD: in field 'trait' of 'NativeOpTrait<"">'
// UPSTREAM: takes, its C++ names nothing
