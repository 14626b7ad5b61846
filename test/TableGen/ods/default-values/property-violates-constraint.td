include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : Op<T, "a"> { let arguments = (ins
  ConfinedProp<DefaultValuedProp<I64Prop, "7">, CPred<"$_self > 30">, "large">:$d,
  DefaultValuedProp<ConfinedProp<I64Prop, CPred<"$_self > 30">, "large">, "7">:$e,
  DefaultValuedProp<ConfinedProp<I64Prop, CPred<"$_self > 30">, "large">, "31">:$f); }
// expected-error@-3:3 {{the default value 7 of 'd' is none that its constraint admits}}
// expected-error@-3:3 {{the default value 7 of 'e' is none that its constraint admits}}
// UPSTREAM: takes, without a word
