include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let verifier = [{
  return ::verify(*this);
}]; }
// expected-warning@-3:22 {{'verifier' is said by 'hasVerifier' now}}
// UPSTREAM: refuses, this is the text's spelling
// CHECK: fn verify(op: A<'_, '_>) -> Result<(), Failure>;
