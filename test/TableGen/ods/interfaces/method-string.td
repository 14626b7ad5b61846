// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = ["foo"]; }
// expected-error@-1:69 {{Element type mismatch for list: element type 'string' not convertible to 'InterfaceMethod}}
