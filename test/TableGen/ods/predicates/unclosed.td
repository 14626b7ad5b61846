include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"$_self.isInteger(32">, "good">:$c); }
// expected-error@-1:48 {{the predicate '$_self.isInteger(32' is no expression: '(' is not closed}}
// UPSTREAM: takes, C++ refuses what is made of it
