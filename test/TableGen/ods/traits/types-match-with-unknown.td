include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [TypesMatchWith<"m", "x", "w", "$_self">]> { let arguments = (ins AnyTensor:$x); }
// expected-error@-1:21 {{the trait 'm' is about 'w', which operation 't.a' has not}}
// UPSTREAM: takes, C++ refuses the name
