include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/Properties.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def E : I32EnumAttr<"E", "an e", [I32EnumAttrCase<"A", 1>, I32EnumAttrCase<"B", 2>]> { let cppNamespace = "::t"; }
def F : I32Enum<"F", "an f", [I32EnumCase<"A", 1>, I32EnumCase<"B", 2>]> { let cppNamespace = "::t"; }
def FAttr : EnumAttr<T, F, "f">;
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<E, "::t::E::C">:$e,
  DefaultValuedAttr<FAttr, "::t::F::C">:$f,
  DefaultValuedProp<EnumProp<F>, "F::C">:$p,
  DefaultValuedProp<I64Prop, "\"x\"">:$text,
  DefaultValuedProp<I32Prop, "99999999999">:$large,
  DefaultValuedAttr<E, "::t::E::A">:$good,
  DefaultValuedProp<EnumProp<F>, "F::B">:$well); }
// expected-error@-7:3 {{the default value ::t::E::C is no value of 'E'}}
// expected-error@-7:3 {{the default value ::t::F::C is no value of 'FAttr'}}
// expected-error@-7:3 {{the default value F::C is no value of '::t::F'}}
// expected-error@-7:3 {{the default value "x" is no value of 'I64Prop'}}
// expected-error@-7:3 {{the default value 99999999999 is no value of 'I32Prop'}}
// UPSTREAM: takes, C++ refuses the value
