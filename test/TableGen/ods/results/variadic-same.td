include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [SameVariadicResultSize]> { let results = (outs Variadic<I32>:$xs, Variadic<I32>:$ys); }
