include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<Neg<[I32.predicate]>, "not i32">:$a); }
// expected-error@-1:53 {{Encountered a list when expecting a Pred}}
