include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<CPred<"true">, "x">]>;
// expected-error@-1:33 {{Value specified for template argument 'PredOpTrait:descr' is of type CPred; expected type string: a record without a name}}
// expected-error@-2:48 {{Value specified for template argument 'PredOpTrait:pred' is of type string; expected type Pred: "x"}}
