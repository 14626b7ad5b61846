include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<StrAttr, "">:$e,
// expected-warning@-1:3 {{the default value of 'e' is empty, so that it has none and must be given: write "\"\"" for the empty text}}
  DefaultValuedAttr<StrAttr, "\"\"">:$f);
}
// CHECK: default: Some("\"\"")
