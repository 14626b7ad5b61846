include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"x is of y's type", CPred<"$x.getType() == $y.getType()">>]> { let arguments = (ins AnyType:$x, AnyType:$y); }
