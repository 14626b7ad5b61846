// GENERATE: op-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Base : OpInterface<"Base"> { let methods = [InterfaceMethod<"d", "bool", "foo">]; }
def MyInterface : OpInterface<"MyInterface", [Base]> { let methods = [InterfaceMethod<"d", "bool", "bar">]; }
def A : Op<T, "a", [DeclareOpInterfaceMethods<MyInterface>]>;
