include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<StrAttr, [IntMinValue<10>]>:$n, ConfinedAttr<I32Attr, [ArrayMinCount<2>]>:$m); }
// expected-error@-1:43 {{a constraint on IntegerAttr is put on an attribute that is stored as StringAttr}}
// expected-error@-2:88 {{a constraint on ArrayAttr is put on an attribute that is stored as IntegerAttr}}
// UPSTREAM: takes, its casts fail when it runs
