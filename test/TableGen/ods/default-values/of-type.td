include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32, "5">:$n); }
// expected-error@-1:61 {{Value specified for template argument 'DefaultValuedAttr:attr' is of type I; expected type Attr: I32}}
