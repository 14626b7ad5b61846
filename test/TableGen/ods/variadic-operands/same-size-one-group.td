include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [SameVariadicOperandSize]> { let arguments = (ins Variadic<F32>:$xs); }
