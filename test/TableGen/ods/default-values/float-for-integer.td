include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, "0.5">:$n); }
// expected-error@-1:43 {{the default value 0.5 is no value of 'I32Attr'}}
// UPSTREAM: takes, C++ warns of the value
