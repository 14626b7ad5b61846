include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32Attr:$x, I32Attr:$x); }
// expected-error@-1:55 {{two arguments are named 'x'}}
// TOLD: in field 'arguments' of 'A'
def B : Op<T, "b"> { let arguments = (ins I32Prop); }
// expected-error@-1:43 {{a property needs a name}}
// TOLD: in field 'arguments' of 'B'
def C : Op<T, "c"> { let results = (outs ConfinedAttr<I32Attr, [IntMinValue<10>]>:$x); }
// expected-error@-1:42 {{a result is 'ConfinedAttr<I32Attr, [IntMinValue<10>]>', which is not a type}}
// TOLD: in field 'results' of 'C'
def D : Op<T, "d"> { let arguments = (ins DefaultValuedAttr<ConfinedAttr<I32Attr, [IntMinValue<10>]>, "5">:$x); }
// expected-error@-1:43 {{the default value 5 of 'x' is none that its constraint admits}}
// TOLD: in field 'arguments' of 'D'
def E : Op<T, "e"> { let regions = (region TensorOf<[F32]>:$x); }
// expected-error@-1:44 {{a region is 'TensorOf<[F32]>', which is no constraint on regions}}
// TOLD: in field 'regions' of 'E'
