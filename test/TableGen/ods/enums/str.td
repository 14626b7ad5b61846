// GENERATE: enum-defs enum-doc op-decls op-defs dialect-defs op-doc
// UPSTREAM: refuses, MLIR has no strings that are enumerations any more
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Same : StrEnumAttrCase<"SAME">;
// expected-warning@-1:12 {{MLIR has no 'StrEnumAttrCase' now: it is read as it was}}
def Valid : StrEnumAttrCase<"VALID", 5, "valid-only">;
// expected-warning@-1:13 {{MLIR has no 'StrEnumAttrCase' now: it is read as it was}}
def Padding : StrEnumAttr<"Padding", "how borders are padded", [Same, Valid]> {
// expected-warning@-1:15 {{MLIR has no 'StrEnumAttr' now: it is read as it was}}
  let cppNamespace = "::t";
}
def A : Op<T, "a"> { let arguments = (ins Padding:$padding); let assemblyFormat = "$padding attr-dict"; }
// CHECK: "valid-only" => Some(Self::VALID)
// CHECK: as_string(attribute).and_then(Self::from_text)
