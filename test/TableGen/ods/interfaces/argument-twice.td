// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "foo", (ins "int":$x, "int":$x)>]; }
// expected-error@-1:63 {{two parameters are named 'x'}}
// UPSTREAM: takes, C++ refuses the method
