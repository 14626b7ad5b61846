// GENERATE: type-interface-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def A : TypeInterface<"I"> { let cppNamespace = "::a"; }
def B : TypeInterface<"I"> { let cppNamespace = "::b"; }
// expected-error@-1:5 {{'A' is interface 'I' as well}}
// UPSTREAM: takes, they are in two namespaces
