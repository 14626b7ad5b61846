include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<And<[I32, F32]>, "i32">:$a); }
// expected-error@-1:62 {{Element type mismatch for list: element type '{BuildableType, Type}' not convertible to 'Pred}}
