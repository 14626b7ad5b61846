include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32Attr:$n, AnyTensor:$x, StrAttr:$s, I32:$y); }
// CHECK: arguments: &["n", "x", "s", "y"]
