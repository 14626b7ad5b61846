include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let summary = 5; }
// expected-error@-1:26 {{Field 'summary' of type 'string' is incompatible with value '5' of type 'int'}}
