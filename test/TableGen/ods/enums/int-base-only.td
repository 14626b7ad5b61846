// GENERATE: enum-defs enum-doc
include "mlir/IR/OpBase.td"
def Case15: I32EnumAttrCase<"Case15", 15>;
// expected-error@-1:13 {{Couldn't find class 'I32EnumAttrCase'}}
def Case20: I32EnumAttrCase<"Case20", 20>;
def MyIntEnum: I32EnumAttr<"MyIntEnum", "An example int enum",
                           [Case15, Case20]> {
  let cppNamespace = "Outer::Inner";
  let stringToSymbolFnName = "ConvertToEnum";
  let symbolToStringFnName = "ConvertToString";
}
