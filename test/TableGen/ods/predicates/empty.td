include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"">, "good">:$c); }
// expected-error@-1:43 {{the predicate '' is no expression: an expression is empty}}
// UPSTREAM: takes, C++ refuses what is made of it
