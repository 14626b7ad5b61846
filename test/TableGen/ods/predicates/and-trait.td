include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"same rank", And<[CPred<"$_op.getNumOperands() > 0">, Neg<CPred<"$_op.getNumResults() > 0">>]>>]> { let arguments = (ins I32:$x); }
// CHECK: predicate::operand_count(this) > 0 && predicate::result_count(this) <= 0
