// GENERATE: op-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "foo", (ins), [{}], "return 1;">, InterfaceMethod<"d", "bool", "bar">]; }
def A : Op<T, "a", [DeclareOpInterfaceMethods<MyInterface, ["foo"]>]>;
