include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AttrSizedResultSegments]> { let results = (outs Variadic<I32>:$xs, Optional<I32>:$ys); }
// CHECK: result_segments: true
