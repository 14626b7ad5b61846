include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AllShapesMatch<["x", "y"]>, AllElementTypesMatch<["x", "y"]>, AllRanksMatch<["x", "y"]>, AllElementCountsMatch<["x","y"]>]> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); }
