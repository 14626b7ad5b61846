include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let verifier = [{ return ::verify(*this); }]; let hasVerifier = 1; }
// expected-warning@-1:22 {{'verifier' is said by 'hasVerifier' now}}
// UPSTREAM: refuses, this is the text's spelling
