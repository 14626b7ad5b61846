include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [SingleBlockImplicitTerminator<"NoOp">]> { let regions = (region AnyRegion:$body); }
