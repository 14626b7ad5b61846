include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"element types", TCresVTEtIsSameAsOp<0, 1>>, PredOpTrait<"operands", TCopVTEtIsSameAs<0, 1>>]> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); let results = (outs AnyTensor:$z); }
// CHECK: predicate::operand_count(this) > 1
