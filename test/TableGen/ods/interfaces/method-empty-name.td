// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "">]; }
// expected-error@-1:63 {{method 'InterfaceMethod<"d", "unsigned", "">' needs 'name'}}
// UPSTREAM: takes, C++ refuses a method without name
