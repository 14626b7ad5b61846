// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def : OpInterface<"Sized"> { let methods = [InterfaceMethod<"d", "int", "size">]; }
// expected-error@-1:1 {{an interface needs a name of its definition}}
// UPSTREAM: takes, its C++ class has a number for a name
