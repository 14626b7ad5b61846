include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins VariadicOfVariadic<I32, "sizes">:$n, I32Attr:$sizes); }
// expected-error@-1:43 {{the sizes of the groups of 'n' need an attribute 'sizes'}}
// UPSTREAM: takes, C++ refuses the getter of another type
