include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x, AnyTypeOf<[?]>:$y); }
// expected-error@-1:51 {{what is combined is not a predicate}}
// TOLD: in field 'arguments' of 'A'
def B : Op<T, "b"> { let arguments = (ins VectorOfLengthAndType<[4], [?]>:$v, TensorOf<[F32, ?]>:$w); }
// expected-error@-1:43 {{what is combined is not a predicate}}
// expected-error@-2:79 {{what is combined is not a predicate}}
def C : Op<T, "c", [PredOpTrait<"x", And<[?]>>]>;
// expected-error@-1:38 {{what is combined is not a predicate}}
