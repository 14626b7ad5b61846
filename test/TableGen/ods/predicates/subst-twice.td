include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<SubstLeaves<"$_self", "::llvm::cast<::mlir::ShapedType>($_self).getElementType()", SubstLeaves<"$_self", "::llvm::cast<::mlir::ComplexType>($_self).getElementType()", F32.predicate>>, "tensor of complex f32">:$c); }
// CHECK: predicate::is_float(predicate::element_type(predicate::element_type(this)), 32)
