include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", ["Commutative"]>;
// expected-error@-1:35 {{Element type mismatch for list: element type 'string' not convertible to 'Trait}}
