// GENERATE: enum-defs enum-doc op-decls op-defs dialect-defs op-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def None: BitEnumAttrCase<"None", 0x0000>;
// expected-warning@-1:11 {{'BitEnumAttrCase' is called 'I32BitEnumAttrCase' now}}
def Bit1: BitEnumAttrCase<"Bit1", 0x0001>;
// expected-warning@-1:11 {{'BitEnumAttrCase' is called 'I32BitEnumAttrCase' now}}
def Bit2: BitEnumAttrCase<"Bit2", 0x0002>;
// expected-warning@-1:11 {{'BitEnumAttrCase' is called 'I32BitEnumAttrCase' now}}
def Bit3: BitEnumAttrCase<"Bit3", 0x0004>;
// expected-warning@-1:11 {{'BitEnumAttrCase' is called 'I32BitEnumAttrCase' now}}
def MyBitEnum: BitEnumAttr<"MyBitEnum", "An example bit enum",
// expected-warning@-1:16 {{'BitEnumAttr' is called 'I32BitEnumAttr' now}}
                           [None, Bit1, Bit2, Bit3]>;
def A : Op<T, "a"> { let arguments = (ins MyBitEnum:$bits); }
// UPSTREAM: refuses, these are the text's spellings
// CHECK: BIT3
