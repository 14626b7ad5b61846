include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AllTypesMatch<["x"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); }
