include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x, Optional<I32>:$n); }
// CHECK: pub fn n(self) -> Option<Value<'c, 'a>>
