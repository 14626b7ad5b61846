// GENERATE: enum-defs enum-doc
// UPSTREAM: refuses, MLIR has no strings that are enumerations any more
include "mlir/IR/EnumAttr.td"
def A : StrEnumAttr<"Padding", "", [StrEnumAttrCase<"Same">, StrEnumAttrCase<"Valid">]>;
// expected-warning@-1:9 {{MLIR has no 'StrEnumAttr' now: it is read as it was}}
// expected-warning@-2:37 {{MLIR has no 'StrEnumAttrCase' now: it is read as it was}}
// expected-warning@-3:62 {{MLIR has no 'StrEnumAttrCase' now: it is read as it was}}
// CHECK: pub enum Padding
