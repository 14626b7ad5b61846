// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [InterfaceMethod<"d", "unsigned", "a b">]; }
// expected-error@-1:96 {{'a b' is no name of a method}}
// TOLD: in field 'name' of 'InterfaceMethod<"d", "unsigned", "a b">'
// UPSTREAM: takes, C++ refuses a method of two words
