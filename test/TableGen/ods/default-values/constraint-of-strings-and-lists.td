include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  ConfinedAttr<DefaultValuedAttr<StrAttr, "\"same\"">, [AttrConstraint<CPred<"::llvm::cast<::mlir::StringAttr>($_self).getValue() == \"valid\"">, "valid">]>:$s,
  DefaultValuedAttr<ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<3>]>, "{1, 2}">:$l,
  DefaultValuedAttr<ConfinedAttr<I64ArrayAttr, [ArrayMinCount<1>]>, "{}">:$e,
  DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPositive]>, "0">:$p,
  DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPowerOf2]>, "8">:$q,
  DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<-3>, IntMaxValue<3>]>, "-3">:$r); }
// expected-error@-6:3 {{the default value "same" of 's' is none that its constraint admits}}
// expected-error@-6:3 {{the default value {1, 2} of 'l' is none that its constraint admits}}
// expected-error@-6:3 {{the default value {} of 'e' is none that its constraint admits}}
// expected-error@-6:3 {{the default value 0 of 'p' is none that its constraint admits}}
// UPSTREAM: takes, without a word
