include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, "\"x\"">:$n); }
// expected-error@-1:43 {{the default value "x" is no value of 'I32Attr'}}
// UPSTREAM: takes, C++ refuses the value
