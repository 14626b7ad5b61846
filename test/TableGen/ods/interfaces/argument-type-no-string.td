// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "foo", (ins I32:$x)>]; }
// expected-error@-1:63 {{a parameter must be a string with a C++ type, or a CArg}}
