include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let extraClassDeclaration = [{ int n() { return 1; } }]; let extraClassDefinition = [{ int $cppClass::m() { return 2; } }]; }
// expected-warning@-1:26 {{'extraClassDeclaration' concerns C++ only: it is left out of 'A'}}
// expected-warning@-2:83 {{'extraClassDefinition' concerns C++ only: it is left out of 'A'}}
