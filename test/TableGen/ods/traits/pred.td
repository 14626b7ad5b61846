include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"x and y are of one type", CPred<"$_op.getOperand(0).getType() == $_op.getOperand(1).getType()">>]> { let arguments = (ins I32:$x, I32:$y); }
// CHECK: predicate::type_of(predicate::operand(this, 0)) == predicate::type_of(predicate::operand(this, 1))
