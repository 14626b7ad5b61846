// GENERATE: op-decls op-defs dialect-defs op-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [OpInterfaceTrait<"Foo">]>;
