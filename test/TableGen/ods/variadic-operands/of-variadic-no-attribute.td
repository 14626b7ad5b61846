include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins VariadicOfVariadic<I32, "sizes">:$n); }
// expected-error@-1:43 {{the sizes of the groups of 'n' need an attribute 'sizes'}}
// UPSTREAM: takes, C++ refuses the getter that is not there
