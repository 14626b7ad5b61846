include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs "int":$y); }
// expected-error@-1:42 {{an entry of 'results' is not a constraint}}
