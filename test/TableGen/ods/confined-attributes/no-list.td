include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32Attr, IntMinValue<10>>:$n); }
// expected-error@-1:65 {{Value specified for template argument 'ConfinedAttr:constraints' is of type IntMinValue; expected type list<AttrConstraint>: a record without a name}}
