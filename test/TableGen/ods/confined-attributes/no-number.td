include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue]>:$n); }
// expected-error@-1:66 {{Variable not defined: 'IntMinValue'}}
