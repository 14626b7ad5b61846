include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyTrait : NativeOpTrait<"MyTrait">;
def A : Op<T, "a", [MyTrait]>;
// CHECK: fn verify_my_trait
