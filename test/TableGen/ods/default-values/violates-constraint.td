include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<DefaultValuedAttr<I32Attr, "5">, [IntMinValue<10>]>:$n, DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<10>]>, "5">:$m); }
// expected-error@-1:43 {{the default value 5 of 'n' is none that its constraint admits}}
// expected-error@-2:112 {{the default value 5 of 'm' is none that its constraint admits}}
// UPSTREAM: takes, without a word
