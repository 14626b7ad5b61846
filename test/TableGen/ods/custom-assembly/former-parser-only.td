include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let parser = [{ return parseA(parser, result); }]; }
// expected-warning@-1:22 {{'parser' is said by 'hasCustomAssemblyFormat' now}}
// UPSTREAM: refuses, this is the text's spelling
