include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"element types", TCopVTEtIsSameAs<0, 3>>]> { let arguments = (ins AnyTensor:$x); }
