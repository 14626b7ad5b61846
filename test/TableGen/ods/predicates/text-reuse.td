include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def IntegerOf32Or64 : AttrConstraint<Or<[I32Attr.predicate, I64Attr.predicate]>, "a 32-bit or 64-bit integer">;
def A : Op<T, "a"> { let arguments = (ins IntegerOf32Or64:$n); }
// UPSTREAM: refuses, the text takes an AttrConstraint
