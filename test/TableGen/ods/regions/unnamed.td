include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let regions = (region AnyRegion, MinSizedRegion<2>, MaxSizedRegion<2>); let successors = (successor AnySuccessor); }
