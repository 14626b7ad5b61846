include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"x", "true">]>;
// expected-error@-1:38 {{Value specified for template argument 'PredOpTrait:pred' is of type string; expected type Pred: "true"}}
