include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "type">;
def B : Op<T, "fn">;
def C : Op<T, "self">;
// CHECK: name: "t.fn"
