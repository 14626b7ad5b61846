include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins AnyTensor:$x, I32Attr:$n);
  DerivedTypeAttr T = DerivedTypeAttr<"return getElementTypeOrSelf(getX());">;
  DerivedAttr rank = DerivedAttr<"int64_t", "return ::llvm::cast<ShapedType>(getX().getType()).getRank();", "$_builder.getI64IntegerAttr($_self)">;
}
// CHECK: fn rank<'c: 'a, 'a>(op: A<'c, 'a>) -> i64;
