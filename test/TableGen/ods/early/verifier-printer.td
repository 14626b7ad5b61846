include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let verifier = [{ return ok(); }]; let parser = [{ p }]; let printer = [{ p }]; let hasCanonicalizer = 1; let hasConstantFolder = 1; let results = (outs I32:$x); }
// expected-warning@-1:22 {{'verifier' is said by 'hasVerifier' now}}
// expected-warning@-2:57 {{'parser' is said by 'hasCustomAssemblyFormat' now}}
// expected-warning@-3:79 {{'printer' is said by 'hasCustomAssemblyFormat' now}}
// expected-warning@-4:132 {{'hasConstantFolder' is called 'hasFolder' now}}
// UPSTREAM: refuses, these are the text's spellings
