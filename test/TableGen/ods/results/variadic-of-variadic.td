include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DenseI32ArrayAttr:$s); let results = (outs VariadicOfVariadic<I32, "s">:$xs); }
// expected-error@-1:86 {{results cannot be a VariadicOfVariadic}}
