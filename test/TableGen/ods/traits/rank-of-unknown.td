include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AllRanksMatch<["x", "q"]>]> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); }
// expected-error@-1:21 {{the trait 'all of {x, q} have same rank' is about 'q', which operation 't.a' has not}}
// UPSTREAM: takes, C++ refuses the name
