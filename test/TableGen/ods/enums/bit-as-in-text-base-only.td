// GENERATE: enum-defs enum-doc
include "mlir/IR/OpBase.td"
def None: BitEnumAttrCase<"None", 0x0000>;
// expected-warning@-1:11 {{'BitEnumAttrCase' is called 'I32BitEnumAttrCase' now}}
def Bit1: BitEnumAttrCase<"Bit1", 0x0001>;
// expected-warning@-1:11 {{'BitEnumAttrCase' is called 'I32BitEnumAttrCase' now}}
def MyBitEnum: BitEnumAttr<"MyBitEnum", "An example bit enum", [None, Bit1]>;
// expected-warning@-1:16 {{'BitEnumAttr' is called 'I32BitEnumAttr' now}}
// UPSTREAM: refuses, these are the text's spellings
