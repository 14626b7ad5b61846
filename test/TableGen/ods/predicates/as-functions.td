include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
// GENERATE: type-constraint-defs attr-constraint-defs
def Small : TypeConstraint<And<[AnyInteger.predicate, CPred<"$_self.getIntOrFloatBitWidth() <= 8">]>, "a small integer"> {
  let cppFunctionName = "isSmallInteger";
}
def Wide : TypeConstraint<CPred<"::llvm::isa<::mlir::IntegerType>($_self) && ::llvm::cast<::mlir::IntegerType>($_self).getWidth() > 64 && "
  "!::llvm::cast<::mlir::IntegerType>($_self).isSigned()">, "a wide one"> {
  let cppFunctionName = "isWideInteger";
}
def Odd : TypeConstraint<CPred<"my::odd($_self)">, "odd"> { let cppFunctionName = "isOdd"; }
def Unnamed : TypeConstraint<CPred<"true">, "any">;
def Even : AttrConstraint<CPred<"::llvm::isa<::mlir::IntegerAttr>($_self) && "
  "::llvm::cast<::mlir::IntegerAttr>($_self).getInt() % 2 == 0">, "an even number"> {
  let cppFunctionName = "isEven";
}
// CHECK: pub mod type_constraints {
// CHECK: fn is_odd(this: Type<'_>) -> bool;
// CHECK: pub fn is_small_integer(this: Type<'_>) -> bool { predicate::is_integer_type(this) && predicate::get_int_or_float_bit_width(this) <= 8 }
// CHECK: predicate::get_int_or_float_bit_width(this) > 64 && !predicate::is_signed_integer(this, None)
// CHECK: pub mod attribute_constraints {
// CHECK: pub fn is_even(this: Attribute<'_>) -> bool {
