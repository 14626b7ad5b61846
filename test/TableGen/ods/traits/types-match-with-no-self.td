include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [TypesMatchWith<"m", "x", "y", "foo()">]> { let arguments = (ins AnyTensor:$x, AnyType:$y); }
