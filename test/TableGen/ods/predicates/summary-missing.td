include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"true">>:$c, AttrConstraint<CPred<"true">>:$n); }
// UPSTREAM: refuses, the text takes an AttrConstraint
