include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Positive : AttrConstraint<CPred<"::llvm::cast<::mlir::IntegerAttr>($_self).getInt() > 0">, "positive">;
def A : Op<T, "a"> { let arguments = (ins ConfinedAttr<I32Attr, [Positive]>:$n); }
