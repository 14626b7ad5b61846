include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs I32Attr:$x); }
// expected-error@-1:42 {{a result is 'I32Attr', which is not a type}}
