include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AttrSizedOperandSegments, SameVariadicOperandSize]> { let arguments = (ins Variadic<F32>:$xs, Variadic<F32>:$ys); }
// expected-error@-1:5 {{operation 't.a' has both the traits AttrSizedOperandSegments and SameVariadicOperandSize}}
