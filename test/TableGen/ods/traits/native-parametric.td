include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [ParamNativeOpTrait<"MyTrait", "4, 5">]>;
// CHECK: fn verify_my_trait
