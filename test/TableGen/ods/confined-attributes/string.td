include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<"10">]>:$n); }
// expected-error@-1:78 {{Value specified for template argument 'IntMinValue:n' is of type string; expected type int: "10"}}
