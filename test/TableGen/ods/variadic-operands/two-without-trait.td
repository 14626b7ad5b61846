include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Variadic<F32>:$xs, Variadic<F32>:$ys); }
// expected-error@-1:5 {{operation 't.a' has more than one group of optional or variadic operands: it needs the trait AttrSizedOperandSegments or SameVariadicOperandSize}}
