include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"x">]>;
// expected-error@-1:21 {{value not specified for template argument 'PredOpTrait:pred'}}
