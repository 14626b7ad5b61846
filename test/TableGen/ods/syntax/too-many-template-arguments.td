include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [], 4>;
// expected-error@-1:24 {{Too many template arguments: 4}}
