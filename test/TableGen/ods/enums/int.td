// GENERATE: enum-defs enum-doc op-decls op-defs dialect-defs op-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def Case15: I32EnumAttrCase<"Case15", 15>;
def Case20: I32EnumAttrCase<"Case20", 20>;
def MyIntEnum: I32EnumAttr<"MyIntEnum", "An example int enum", [Case15, Case20]> {
  let cppNamespace = "Outer::Inner";
  let stringToSymbolFnName = "ConvertToEnum";
// expected-warning@-1:7 {{'stringToSymbolFnName' concerns C++ only: it is left out of 'MyIntEnum'}}
  let symbolToStringFnName = "ConvertToString";
// expected-warning@-1:7 {{'symbolToStringFnName' concerns C++ only: it is left out of 'MyIntEnum'}}
}
def A : Op<T, "a"> { let arguments = (ins MyIntEnum:$kind); }
// CHECK: Case15 = 15
