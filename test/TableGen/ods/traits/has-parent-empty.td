include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [ParentOneOf<[]>]>;
// expected-error@-1:21 {{the trait ParentOneOf needs names of operations, one of which is empty}}
// UPSTREAM: takes, C++ refuses a trait of nothing
