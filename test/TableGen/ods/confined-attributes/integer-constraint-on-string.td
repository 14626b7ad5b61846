include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<StrAttr, [IntMinValue<10>]>:$n, ConfinedAttr<I32Attr, [ArrayMinCount<2>]>:$m); }
