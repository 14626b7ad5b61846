// GENERATE: type-interface-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : TypeInterface<"I"> { let cppNamespace = "::t"; let extraClassDeclaration = "int n();"; let extraSharedClassDeclaration = "int m();"; let extraTraitClassDeclaration = "int o();"; }
// expected-warning@-1:60 {{'extraClassDeclaration' concerns C++ only: it is left out of 'I'}}
// expected-warning@-2:100 {{'extraSharedClassDeclaration' concerns C++ only: it is left out of 'I'}}
// expected-warning@-3:146 {{'extraTraitClassDeclaration' concerns C++ only: it is left out of 'I'}}
