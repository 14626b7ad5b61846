include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let verifier = 1; }
// expected-error@-1:38 {{Field 'verifier' of type 'string' is incompatible with value '1' of type 'int'}}
