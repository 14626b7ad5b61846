include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<I32, "i32">:$a); }
// expected-error@-1:48 {{Value specified for template argument 'Type:condition' is of type I; expected type Pred: I32}}
