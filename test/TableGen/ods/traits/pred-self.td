include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"alone", CPred<"$_self.getNumOperands() == 2">>]>;
// expected-error@-1:21 {{the trait 'alone' is about '$_self', which stands for nothing in a trait}}
// TOLD: in field 'traits' of 'A'
// UPSTREAM: takes, its C++ has no such variable
