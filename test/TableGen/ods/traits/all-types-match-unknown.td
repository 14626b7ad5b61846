include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AllTypesMatch<["x", "w"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); }
// expected-error@-1:21 {{the trait 'all of {x, w} have same type' is about 'w', which operation 't.a' has not}}
// UPSTREAM: takes, C++ refuses the name
