include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = "I32"; }
// expected-error@-1:26 {{Field 'arguments' of type 'dag' is incompatible with value '"I32"' of type 'string'}}
