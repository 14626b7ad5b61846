include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [SameVariadicOperandSize]> { let results = (outs Variadic<I32>:$xs, Variadic<I32>:$ys); }
// expected-error@-1:5 {{operation 't.a' has more than one group of optional or variadic results: it needs the trait AttrSizedResultSegments or SameVariadicResultSize}}
