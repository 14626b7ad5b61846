include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Even : TypeConstraint<CPred<"::llvm::cast<::mlir::IntegerType>($_self).getWidth() % 2 == 0">, "integer of even width">;
def A : Op<T, "a"> { let arguments = (ins Even:$x); let results = (outs Even:$y); }
