include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$type, I32:$self, I32Attr:$fn, I32Attr:$operation, I32:$build); }
// UPSTREAM: refuses, its getters are those of all operations in C++
// CHECK: pub fn r#type(self)
