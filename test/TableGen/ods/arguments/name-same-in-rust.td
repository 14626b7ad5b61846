include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$fooBar, I32:$foo_bar); }
// UPSTREAM: refuses, its getters are one in C++
