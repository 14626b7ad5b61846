// RUN: skriptnd-tblgen -gen-enum-defs %s | FileCheck %s
// RUN: skriptnd-tblgen -gen-op-defs %s | FileCheck %s --check-prefix=DEFS

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"

def Test_Dialect : Dialect { let name = "test"; }

// CHECK: /// Where padding goes.
// CHECK: pub enum Side {
// CHECK: /// `before`
// CHECK-NEXT: Before = 1,
// CHECK: After = 5,
// CHECK: pub fn from_value(value: i64) -> Option<Self> {
// CHECK: 5 => Some(Self::After),
// CHECK: "before" => Some(Self::Before),
def Before : I32EnumAttrCase<"Before", 1, "before">;
def After : I32EnumAttrCase<"After", 5, "after">;
def Side : I32EnumAttr<"Side", "Where padding goes", [Before, After]> { let genSpecializedAttr = 0; }

// CHECK: pub struct Access(pub i64);
// CHECK: pub const READ: Self = Self(1);
// CHECK: pub const WRITE: Self = Self(2);
// CHECK: (value & !3 == 0).then_some(Self(value))
def Read : I32BitEnumAttrCaseBit<"Read", 0>;
def Write : I32BitEnumAttrCaseBit<"Write", 1>;
def Access : I32BitEnumAttr<"Access", "What is done", [Read, Write]> { let genSpecializedAttr = 0; }

// DEFS: syntax: AttributeSyntax::Enumeration(
// DEFS: cases: &[(1, "before"), (5, "after")],
// DEFS: fn is_side(this: Attribute<'_>) -> bool {
// DEFS: predicate::integer(this) == 1 || predicate::integer(this) == 5
def Test_PadOp : Op<Test_Dialect, "pad"> { let arguments = (ins Side:$side); }
