include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I8Attr, "300">:$n); }
// expected-error@-1:43 {{the default value 300 is no value of 'I8Attr'}}
// UPSTREAM: takes, C++ warns of the value
