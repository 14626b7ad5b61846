include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [TypesMatchWith<"y has the element type of x", "x", "y", "::llvm::cast<ShapedType>($_self).getElementType()">]> { let arguments = (ins AnyTensor:$x, AnyType:$y); let results = (outs); let assemblyFormat = "$x `,` $y attr-dict `:` type($x)"; }
