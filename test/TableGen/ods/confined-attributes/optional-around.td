include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins OptionalAttr<ConfinedAttr<I32Attr, [IntMinValue<10>]>>:$n, ConfinedAttr<OptionalAttr<I32Attr>, [IntMinValue<10>]>:$m); }
