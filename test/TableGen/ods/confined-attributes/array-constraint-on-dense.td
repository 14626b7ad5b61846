include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  OptionalAttr<ConfinedAttr<DenseI64ArrayAttr, [ArrayMinCount<2>]>>:$wrong,
// expected-error@-1:3 {{a constraint on ArrayAttr is put on an attribute that is stored as DenseI64ArrayAttr}}
  ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<2>]>:$right,
  ConfinedAttr<BoolAttr, [AttrConstraint<CPred<"::llvm::cast<::mlir::IntegerAttr>($_self).getInt() == 1">, "true">]>:$b);
}
// UPSTREAM: takes, its casts fail when it runs
