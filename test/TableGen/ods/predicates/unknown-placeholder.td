include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"$_me.isInteger(32)">, "good">:$c); }
// expected-error@-1:48 {{the predicate '$_me.isInteger(32)' is no expression: '$_me' stands for nothing}}
// UPSTREAM: takes, C++ refuses what is made of it
