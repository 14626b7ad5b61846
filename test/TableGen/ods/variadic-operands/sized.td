include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AttrSizedOperandSegments]> { let arguments = (ins Variadic<F32>:$xs, Optional<I32>:$n, Variadic<F32>:$ys); }
// CHECK: operand_segments: true
