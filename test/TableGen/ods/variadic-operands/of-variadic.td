include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins VariadicOfVariadic<I32, "sizes">:$n, DenseI32ArrayAttr:$sizes); }
// CHECK: pub fn n(self) -> Vec<Vec<Value<'c, 'a>>>
