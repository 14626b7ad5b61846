include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/AttrTypeBase.td"
def A : Op<T, "a", [NativeTypeTrait<"X">]>;
// expected-error@-1:21 {{'X' is no trait of operations}}
