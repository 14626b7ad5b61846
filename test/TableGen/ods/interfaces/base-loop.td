// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface", [MyInterface]>;
// expected-error@-1:59 {{Element type mismatch for list: element type '{}' not convertible to 'Interface}}
