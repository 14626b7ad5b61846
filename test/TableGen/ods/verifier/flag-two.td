include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let hasVerifier = 2; }
// expected-error@-1:5 {{Initializer of 'hasVerifier' in 'A' could not be fully resolved: !cast<bit>(2)}}
