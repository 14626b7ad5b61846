// GENERATE: op-interface-decls op-decls op-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "foo", (ins), [{}], "return 1;">]; }
def A : Op<T, "a", [DeclareOpInterfaceMethods<MyInterface, ["bar"]>]>;
// expected-warning@-1:21 {{the interface 'MyInterface' has no method 'bar': it is left out}}
