include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [SameVariadicOperandSize]> { let arguments = (ins Variadic<F32>:$xs, I32:$n, Variadic<F32>:$ys); }
// CHECK: operands: &[GroupArity::Variadic, GroupArity::One, GroupArity::Variadic], results: &[], regions: &[], operand_segments: false
