include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AllTypesMatch<["x", "y", "z"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$z); }
