include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x, Variadic<F32>:$ys); }
// CHECK: pub fn ys(self) -> Vec<Value<'c, 'a>>
