include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins OptionalAttr<I32Attr>:$n, OptionalAttr<StrAttr>:$s, UnitAttr:$u); }
// expected-warning@-1:95 {{the default value 'false' is C++ without a counterpart: the getter of 'u' knows no value for an absent one}}
// CHECK: pub fn n(self) -> Option<i64>
// CHECK: pub fn u(self) -> bool
