include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32Attr, [IntMin<10>]>:$n); }
// expected-error@-1:66 {{Expected a class name, got 'IntMin'}}
