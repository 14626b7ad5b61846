include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"$_op.getNumOperands() == 1">, "alone">:$c, AttrConstraint<CPred<"$_op.getNumResults() == 0">, "no results">:$n); }
// UPSTREAM: refuses, the text takes an AttrConstraint
