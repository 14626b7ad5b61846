include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins OptionalAttr:$n); }
// expected-error@-1:43 {{Variable not defined: 'OptionalAttr'}}
