include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<"t", "a">;
// expected-error@-1:12 {{Value specified for template argument 'Op:dialect' is of type string; expected type Dialect: "t"}}
