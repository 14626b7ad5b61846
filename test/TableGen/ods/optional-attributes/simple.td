include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins OptionalAttr<I32Attr>:$n, OptionalAttr<StrAttr>:$s, UnitAttr:$u); }
// CHECK: pub fn n(self) -> Option<i64>
// CHECK: pub fn u(self) -> bool
