include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [I32]>;
// expected-error@-1:25 {{Element type mismatch for list: element type 'I' not convertible to 'Trait}}
