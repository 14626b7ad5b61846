include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a.b.c">;
// CHECK: pub const NAME: &'static str = "t.a.b.c";
