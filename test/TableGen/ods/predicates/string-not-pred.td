include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<"true", "i32">:$a); }
// expected-error@-1:48 {{Value specified for template argument 'Type:condition' is of type string; expected type Pred: "true"}}
