include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (ins I32:$x); }
// expected-error@-1:26 {{'results' must start with 'outs', not 'ins'}}
