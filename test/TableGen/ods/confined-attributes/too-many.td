include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I64ArrayAttr, [IntArrayNthElemEq<0>]>:$n); }
// expected-error@-1:71 {{value not specified for template argument 'IntArrayNthElemEq:value'}}
