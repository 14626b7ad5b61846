include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins AttrConstraint<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "a string">:$s); }
// UPSTREAM: refuses, the text takes an AttrConstraint
