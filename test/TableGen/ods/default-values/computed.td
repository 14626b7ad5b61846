include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<I32Attr, "1 << 4">:$shifted,
  DefaultValuedAttr<I64Attr, "::mlir::ShapedType::kDynamic">:$extent,
  DefaultValuedAttr<I8Attr, "std::numeric_limits<int8_t>::max()">:$limit,
  DefaultValuedAttr<DenseI64ArrayAttr, "{INT64_MAX, 2 * 3}">:$list,
  DefaultValuedAttr<I8Attr, "1 << 8">:$wrong);
// expected-error@-1:3 {{the default value 1 << 8 is no value of 'I8Attr'}}
}
// UPSTREAM: takes, C++ cuts the number
