include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<I32Attr, "1 << 4">:$shifted,
  DefaultValuedAttr<I64Attr, "::mlir::ShapedType::kDynamic">:$extent,
  DefaultValuedAttr<DenseI64ArrayAttr, "{INT64_MAX, 2 * 3}">:$list,
  DefaultValuedAttr<TypeAttr, "$_builder.getF32Type()">:$type);
}
// CHECK: default: Some("16 : i32")
// CHECK: default: Some("-9223372036854775808 : i64")
// CHECK: default: Some("array<i64: 9223372036854775807, 6>")
// CHECK: default: Some("f32")
