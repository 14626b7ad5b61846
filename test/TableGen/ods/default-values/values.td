include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<F32Attr, "0.5f">:$f,
  DefaultValuedAttr<I32ArrayAttr, "{1, 2, 3}">:$array,
  DefaultValuedAttr<I64Attr, "-1">:$n,
  DefaultValuedAttr<BoolAttr, "true">:$b,
  DefaultValuedAttr<StrAttr, "\"NHWC\"">:$s,
  DefaultValuedStrAttr<StrAttr, "NHWC">:$s2,
  DefaultValuedOptionalAttr<F64Attr, "1.5e3">:$g,
  DefaultValuedAttr<DenseI64ArrayAttr, "{1, 2}">:$dense); }
// CHECK: default: Some("0.5 : f32")
// CHECK: default: Some("[1 : i32, 2 : i32, 3 : i32]")
// CHECK: self.g_attribute().map_or(Some(1500.0), attributes::as_real)
