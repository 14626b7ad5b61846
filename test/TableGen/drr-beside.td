// The PDL stands in a file beside the Rust, with the places of the rules; what has no Rust yet is asked for by a trait.
// RUN: rm -rf %t && mkdir %t
// RUN: skriptnd-tblgen -gen-rewriters %s -o %t/rules.rs 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s --check-prefix=RUST < %t/rules.rs
// RUN: FileCheck %s --check-prefix=BESIDE < %t/rules.pdl.mlir
// RUN: mlir-opt %t/rules.pdl.mlir -o /dev/null

include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I1:$x, I64Attr:$n); let results = (outs I1:$y); }

// RUST: pub const PDL: &str = include_str!("rules.pdl.mlir");
// RUST: pub trait Functions: Send + Sync + 'static {
// RUST: fn is_lucky<'c, 'a>(
// RUST-NEXT: &self,
// RUST-NEXT: value: Value<'c, 'a>,
// RUST-NEXT: attribute: Attribute<'c>,
// RUST-NEXT: ) -> bool;
// RUST: fn next<'c, 'a>(
// RUST-NEXT: &self,
// RUST-NEXT: editor: &Editor<'c, 'a>,
// RUST-NEXT: location: Location<'c>,
// RUST-NEXT: attribute: Attribute<'c>,
// RUST-NEXT: ) -> Result<Attribute<'c>, Failure>;
// RUST: pub fn patterns(functions: impl Functions) -> PdlPatterns {

// BESIDE: pdl.pattern @First : benefit(1) {
// BESIDE: pdl.apply_native_constraint "IsLucky"(%x, %n : !pdl.value, !pdl.attribute)
// BESIDE: %next = pdl.apply_native_rewrite "next"(%a, %n : !pdl.operation, !pdl.attribute) : !pdl.attribute
// BESIDE: } loc("drr-beside.td":[[# @LINE + 3]]:5)
def IsLucky : Constraint<CPred<"$1 == lucky()">, "is lucky">;
def Next : NativeCodeCall<"next($_builder, $_loc, $0)">;
def First : Pat<(A $x, $n), (A $x, (Next $n)), [(IsLucky $x, $n)]>;
// WARNING: drr-beside.td:[[# @LINE + 2]]:5: warning: patterns 'First' and 'Second' of benefit 1 may match at one operation
// WARNING: drr-beside.td:[[# @LINE + 2]]:5: warning: pattern 'Third' never applies: 'Second' matches whatever it matches and goes first
def Second : Pat<(A $x, $n), (replaceWithValue $x)>;
def Third : Pat<(A $x, ConstantAttr<I64Attr, "1">), (replaceWithValue $x)>;
