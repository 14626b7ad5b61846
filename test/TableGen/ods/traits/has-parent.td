include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [HasParent<"B">]>;
def B : Op<T, "b", [SingleBlock, NoTerminator]> { let regions = (region AnyRegion:$body); }
def C : Op<T, "c", [ParentOneOf<["B", "A"]>]>;
def E : Op<T, "e", [SingleBlockImplicitTerminator<"C">]> { let regions = (region SizedRegion<1>:$body); }
// CHECK: parents: &["t.b"]
