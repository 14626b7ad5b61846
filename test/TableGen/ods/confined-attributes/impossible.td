include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<10>, IntMaxValue<5>]>:$n); }
