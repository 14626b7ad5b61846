include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let hasCustomAssemblyFormat = 1; }
// CHECK: fn parse<
