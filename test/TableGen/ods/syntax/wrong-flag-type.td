include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let hasVerifier = "yes"; }
// expected-error@-1:26 {{Field 'hasVerifier' of type 'bit' is incompatible with value '"yes"' of type 'string'}}
