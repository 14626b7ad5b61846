include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Arg<I32, "an input">:$x, Arg<Variadic<I32>, "more">:$ys, Arg<OptionalAttr<I32Attr>, "maybe">:$n); }
