// GENERATE: op-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let cppNamespace = "my"; let verify = [{ return success(); }]; let extraClassDeclaration = "int n();"; let extraSharedClassDeclaration = "int m();"; let methods = [InterfaceMethod<"d", "void", "foo", (ins "int":$a, "StringRef":$b)>]; }
// expected-warning@-1:115 {{'extraClassDeclaration' concerns C++ only: it is left out of 'MyInterface'}}
// expected-warning@-2:155 {{'extraSharedClassDeclaration' concerns C++ only: it is left out of 'MyInterface'}}
def A : Op<T, "a", [MyInterface]>;
