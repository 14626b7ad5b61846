include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"$_self is good">, "good">:$c); }
// expected-error@-1:48 {{the predicate '$_self is good' is no expression: no operator stands before 'is'}}
// UPSTREAM: takes, C++ refuses what is made of it
