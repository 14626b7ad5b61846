// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> { let methods = [I32]; }
// expected-error@-1:67 {{Element type mismatch for list: element type 'I' not convertible to 'InterfaceMethod}}
