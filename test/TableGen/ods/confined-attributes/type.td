include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32, [IntMinValue<10>]>:$n); }
// expected-error@-1:56 {{Value specified for template argument 'ConfinedAttr:attr' is of type I; expected type Attr: I32}}
