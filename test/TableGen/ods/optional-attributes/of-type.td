include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins OptionalAttr<I32>:$n); }
// expected-error@-1:56 {{Value specified for template argument 'OptionalAttr:attr' is of type I; expected type Attr: I32}}
