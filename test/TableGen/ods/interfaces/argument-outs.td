// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "foo", (outs "int":$x)>]; }
// expected-error@-1:63 {{'arguments' must start with 'ins', not 'outs'}}
// UPSTREAM: takes, the text asks for a list of arguments
