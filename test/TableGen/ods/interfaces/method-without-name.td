// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned">]; }
// expected-error@-1:63 {{value not specified for template argument 'InterfaceMethod:methodName'}}
