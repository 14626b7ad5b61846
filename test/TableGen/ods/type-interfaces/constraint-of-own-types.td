// GENERATE: type-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : TypeInterface<"I"> { let cppNamespace = "::t"; let methods = [InterfaceMethod<"d", "::t::Own", "foo">]; }
def X : Op<T, "x"> { let arguments = (ins I:$i); }
// CHECK: Its C++, of which no Rust could be made (the interface of 'has_i' has C++ types of its own)
