include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let parser = [{ return parseA(parser, result); }]; let printer = [{ print(p, *this); }]; }
// expected-warning@-1:22 {{'parser' is said by 'hasCustomAssemblyFormat' now}}
// expected-warning@-2:73 {{'printer' is said by 'hasCustomAssemblyFormat' now}}
// UPSTREAM: refuses, this is the text's spelling
// CHECK: fn print(op: A<'_, '_>, printer
