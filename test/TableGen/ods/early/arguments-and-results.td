include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [Pure]>, Arguments<(ins I32:$x, I32Attr:$n)>, Results<(outs I32:$y, F32)>;
// CHECK: pub fn x(self) -> Result<Value<'c, 'a>, Failure>
