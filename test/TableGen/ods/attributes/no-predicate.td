include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyAttr : Attr<"my attribute">;
// expected-error@-1:19 {{Value specified for template argument 'Attr:condition' is of type string; expected type Pred: "my attribute"}}
