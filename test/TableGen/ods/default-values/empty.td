include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, "">:$n); }
// expected-warning@-1:43 {{the default value of 'n' is empty, so that it has none and must be given}}
