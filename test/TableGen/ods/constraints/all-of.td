include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins AllOfType<[AnyTensor, HasRankPred]>:$x); }
// expected-error@-1:77 {{Element type mismatch for list: element type '{}' not convertible to 'Type}}
