include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<And<[HasStaticShapePred, CPred<"::llvm::cast<::mlir::ShapedType>($_self).getRank() == 2">]>, "static matrix">:$c, Type<CPred<"$_self.isSignlessIntOrIndexOrFloat()">, "scalar">:$d); }
