include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, 5>:$n); }
// expected-error@-1:70 {{Value specified for template argument 'DefaultValuedAttr:val' is of type int; expected type string: 5}}
