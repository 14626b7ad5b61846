include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let regions = (region AnySuccessor:$x); }
// expected-error@-1:44 {{a region is 'AnySuccessor', which is no constraint on regions}}
// UPSTREAM: takes, it reads any definition with a predicate
