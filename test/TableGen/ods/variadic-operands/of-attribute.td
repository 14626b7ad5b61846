include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Variadic<I32Attr>:$n); }
// expected-error@-1:52 {{Value specified for template argument 'Variadic:type' is of type TypedSignlessIntegerAttrBase; expected type Type: I32Attr}}
