// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<""> { let methods = [InterfaceMethod<"d", "unsigned", "foo">]; }
// expected-error@-1:5 {{interface 'MyInterface' needs 'cppInterfaceName'}}
// UPSTREAM: takes, C++ refuses a class without name
