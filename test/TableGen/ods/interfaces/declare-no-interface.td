// GENERATE: op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [DeclareOpInterfaceMethods<Commutative>]>;
// expected-error@-1:47 {{Value specified for template argument 'DeclareOpInterfaceMethods:interface' is of type NativeOpTrait; expected type OpInterface: Commutative}}
