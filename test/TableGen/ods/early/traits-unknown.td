include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [Commutative]>, Traits<["SameOperandsAndResultType", "MyTrait"]>, Arguments<(ins I32:$x)>, Results<[I32]>;
// expected-warning@-1:36 {{'Traits' is part of the list of 'Op' now}}
// expected-warning@-2:119 {{results are written as '(outs ...)' now}}
// UPSTREAM: refuses, these are the text's spellings
