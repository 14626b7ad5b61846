include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs I32:$y); let hasConstantFolder = 1; }
// expected-warning@-1:55 {{'hasConstantFolder' is called 'hasFolder' now}}
// UPSTREAM: refuses, this is the text's spelling
// CHECK: fn fold<
