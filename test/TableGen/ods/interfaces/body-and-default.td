// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "foo", (ins), [{ return 1; }], [{ return 2; }]>]; }
