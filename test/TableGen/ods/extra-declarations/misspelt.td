include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let extraClassDeclarations = ""; }
// expected-error@-1:26 {{Value 'extraClassDeclarations' unknown!}}
