include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a">, Traits<[I32]>;
// expected-error@-1:33 {{Element type mismatch for list: element type 'I' not convertible to 'string}}
