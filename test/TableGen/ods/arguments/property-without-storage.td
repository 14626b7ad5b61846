include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
def T : Dialect { let name = "t"; }
def Nothing : Property<"", "nothing">;
// expected-error@-1:5 {{property 'Nothing' needs 'storageType'}}
def A : Op<T, "a"> { let arguments = (ins Nothing:$x); }
// UPSTREAM: takes, its C++ has a member without type
