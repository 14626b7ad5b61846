include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  Type<Neg<I32.predicate>, "not i32">:$a,
  Type<SubstLeaves<"$_self", "::llvm::cast<::mlir::ShapedType>($_self).getElementType()", F32.predicate>, "of f32">:$b,
  Type<Concat<"!(", F32.predicate, ")">, "not f32">:$c,
  Type<And<[Or<[I32.predicate, F32.predicate]>, Neg<F32.predicate>]>, "i32 after all">:$d); }
// CHECK: predicate::is_float(predicate::element_type(this), 32)
// CHECK: !predicate::is_float(this, 32)
// CHECK: !predicate::is_signless_integer(this, Some(32))
