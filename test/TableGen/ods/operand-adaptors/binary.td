include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def AddOp : Op<T, "add"> { let arguments = (ins I32:$lhs, I32:$rhs, Variadic<I32>:$more, I32Attr:$n); let results = (outs I32:$sum); let hasFolder = 1; }
// CHECK: pub fn lhs(&self) -> Result<V, Failure>
// CHECK: pub struct AddOpAdaptor<'c, 'a, V = Value<'c, 'a>>
