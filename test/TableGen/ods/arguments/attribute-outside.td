include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { I32Attr n = I32Attr; }
// expected-error@-1:22 {{Couldn't find class 'I32Attr'}}
