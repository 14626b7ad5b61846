// GENERATE: type-interface-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : TypeInterface<"I"> { let cppNamespace = "::t"; let verify = [{ return success(); }]; }
// expected-error@-1:60 {{Value 'verify' unknown!}}
