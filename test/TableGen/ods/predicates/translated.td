include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def Name : AttrConstraint<And<[
  CPred<"::llvm::cast<::mlir::StringAttr>($_self).getValue().starts_with(\"a\")">,
  CPred<"!::llvm::cast<::mlir::StringAttr>($_self).getValue().contains(\".\")">]>, "that begins with a">;
def Share : AttrConstraint<CPred<"::llvm::cast<::mlir::FloatAttr>($_self).getValueAsDouble() <= 0.5 && "
  "!::llvm::cast<::mlir::FloatAttr>($_self).getValue().isNaN()">, "of at most a half">;
def Few : AttrConstraint<CPred<"::llvm::cast<::mlir::IntegerAttr>($_self).getInt() / 2 < (1 << 4)">, "below 32">;
def Real : Type<CPred<"$_self == $_builder.getF32Type() || $_self == $_builder.getIntegerType(8, false)">, "f32 or ui8">;
def Open : Type<And<[RankedTensorOf<[AnyType]>.predicate,
  CPred<"::llvm::cast<::mlir::ShapedType>($_self).getDimSize(0) == ::mlir::ShapedType::kDynamic">]>, "open">;
def A : Op<T, "a"> {
  let arguments = (ins ConfinedAttr<StrAttr, [Name]>:$name, ConfinedAttr<F32Attr, [Share]>:$share,
    ConfinedAttr<I64Attr, [Few]>:$few, Real:$real, Open:$open);
}
// CHECK: predicate::string(this).starts_with("a")
// CHECK: predicate::float(this) <= 0.5
// CHECK: i64::checked_div(predicate::integer(this), 2).unwrap_or_default()
// CHECK: predicate::is_float(this, 32) || predicate::is_unsigned_integer(this, Some(8))
// CHECK: predicate::get_dim_size(this, 0) == i64::MIN
