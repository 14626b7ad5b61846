include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/Properties.td"
def A : Op<T, "a"> { let results = (outs I64Prop:$y); }
// expected-error@-1:42 {{a result is 'I64Prop', which is not a type}}
