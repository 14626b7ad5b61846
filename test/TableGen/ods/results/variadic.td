include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs I32:$x, Variadic<I32>:$ys); }
// CHECK: pub fn ys(self) -> Vec<Value<'c, 'a>>
