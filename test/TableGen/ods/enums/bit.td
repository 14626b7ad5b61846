// GENERATE: enum-defs enum-doc op-decls op-defs dialect-defs op-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/EnumAttr.td"
def None: I32BitEnumAttrCaseNone<"None">;
def Bit1: I32BitEnumAttrCase<"Bit1", 0x0001>;
def Bit2: I32BitEnumAttrCase<"Bit2", 0x0002>;
def Bit3: I32BitEnumAttrCase<"Bit3", 0x0004>;
def MyBitEnum: I32BitEnumAttr<"MyBitEnum", "An example bit enum", [None, Bit1, Bit2, Bit3]>;
def A : Op<T, "a"> { let arguments = (ins MyBitEnum:$bits); }
