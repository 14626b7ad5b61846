include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Opp<T, "a">;
// expected-error@-1:9 {{Couldn't find class 'Opp'}}
