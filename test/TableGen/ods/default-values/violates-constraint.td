include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<DefaultValuedAttr<I32Attr, "5">, [IntMinValue<10>]>:$n, DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<10>]>, "5">:$m); }
