include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let hasVerifier = 1; let hasRegionVerifier = 1; }
// CHECK: fn verify(op: A<'_, '_>) -> Result<(), Failure>;
// CHECK: fn verify_regions(op: A<'_, '_>) -> Result<(), Failure>;
