include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let hasCustomAssemblyFormat = 1; let assemblyFormat = "attr-dict"; }
// expected-warning@-1:59 {{'assemblyFormat' is left out: 'hasCustomAssemblyFormat' lets Rust parse and print}}
