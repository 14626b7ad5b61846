// Operations inside are matched beside and behind operands of which there is any number.
// RUN: split-file %s %t && skriptnd-tblgen -gen-pdl %t/rules.td -o %t/rules.pdl
// RUN: mlir-opt %t/rules.pdl --convert-pdl-to-pdl-interp -o /dev/null
// RUN: skriptnd-opt %t/values.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/rules.pdl"' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

//--- rules.td
include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
class TOp<string name, list<Trait> traits = []> : Op<T, name, traits>;
def Neg : TOp<"neg"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); }
def Scale : TOp<"scale"> {
  let arguments = (ins AnyType:$x, I64Attr:$by, OptionalAttr<I64Attr>:$bias, DefaultValuedAttr<I64Attr, "3">:$times);
  let results = (outs AnyType:$r);
}
def Two : TOp<"two"> { let arguments = (ins Variadic<AnyType>:$xs); let results = (outs AnyType:$a, AnyType:$b); }
def Mixed : TOp<"mixed"> { let arguments = (ins AnyType:$x, Variadic<AnyType>:$xs, AnyType:$y); let results = (outs AnyType:$r); }
def Join : TOp<"join", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyType>:$xs, Variadic<AnyType>:$ys, Optional<AnyType>:$z); let results = (outs AnyType:$r);
}
def Made : TOp<"made"> {
  let arguments = (ins Variadic<AnyType>:$xs, OptionalAttr<AnyAttr>:$a, OptionalAttr<AnyAttr>:$b, OptionalAttr<AnyAttr>:$c);
  let results = (outs AnyType:$r);
}
// Behind a group: one operation, then one within.
def Behind : Pat<(Mixed $x, $xs, (Neg (Neg I32:$y))), (Made (variadic $x, $y), ?, ?, ?)>;
// Attributes: a constant, one that is compared, one that may be absent, one with a default value.
def Attributes : Pat<(Mixed (Scale $x, $by, $_, $_), $xs, (Scale $y, $by, $bias, $times)), (Made $xs, $by, $bias, $times)>;
def Constants : Pat<(Mixed $x, $xs, (Scale $x, ConstantAttr<I64Attr, "1">, IsNullAttr, ConstantAttr<I64Attr, "3">)), (Made $xs, ?, ?, ?)>;
// In a group of known size beside one of unknown size; what is made of one of two results; the operation itself.
def Beside : Pat<(Join (variadic $p, (Two:$t__1 (variadic $q, (Neg:$n $p)))), $ys, $z), (Made (variadic $t__0, $n, $q), ?, ?, ?)>;

//--- values.mlir
func.func @behind(%a: i32, %b: i8, %c: i32) {
  // CHECK: %[[N:.*]] = "t.neg"(%[[A:.*]]) : (i32) -> i32
  // CHECK: %[[NN:.*]] = "t.neg"(%[[N]]) : (i32) -> i32
  // CHECK: %[[M:.*]] = "t.neg"(%[[B:.*]]) : (i8) -> i8
  // CHECK: %[[MM:.*]] = "t.neg"(%[[M]]) : (i8) -> i8
  %n = "t.neg"(%a) : (i32) -> i32 loc("n")
  %nn = "t.neg"(%n) : (i32) -> i32 loc("nn")
  %m = "t.neg"(%b) : (i8) -> i8
  %mm = "t.neg"(%m) : (i8) -> i8
  // CHECK-NEXT: %[[R0:.*]] = "t.made"(%[[C:.*]], %[[A]]) : (i32, i32) -> i32 loc(fused["n", "nn", "r"])
  // CHECK-NEXT: %[[R1:.*]] = "t.made"(%[[C]], %[[A]])
  // CHECK-NEXT: %[[R2:.*]] = "t.mixed"(%[[C]], %[[NN]], %[[N]])
  // CHECK-NEXT: %[[R3:.*]] = "t.mixed"(%[[C]], %[[MM]])
  // CHECK-NEXT: %[[R4:.*]] = "t.mixed"(%[[NN]], %[[C]])
  %0 = "t.mixed"(%c, %a, %b, %nn) : (i32, i32, i8, i32) -> i32 loc("r")
  %1 = "t.mixed"(%c, %nn) : (i32, i32) -> i32
  %2 = "t.mixed"(%c, %nn, %n) : (i32, i32, i32) -> i32
  %3 = "t.mixed"(%c, %mm) : (i32, i8) -> i32
  %4 = "t.mixed"(%nn, %c) : (i32, i32) -> i32
  "t.use"(%0, %1, %2, %3, %4) : (i32, i32, i32, i32, i32) -> ()
  return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%a: i32, %b: i32) {
  %1 = "t.scale"(%a) {by = 1} : (i32) -> i32
  %2 = "t.scale"(%a) {by = 2} : (i32) -> i32
  %b2 = "t.scale"(%b) {by = 2, bias = 5} : (i32) -> i32
  %t1 = "t.scale"(%a) {by = 1, times = 3} : (i32) -> i32
  %u1 = "t.scale"(%a) {by = 1, times = 4} : (i32) -> i32
  // CHECK: "t.made"(%{{.*}}) {a = 2 : i64, b = 5 : i64, c = 3 : i64} : (i32) -> i32
  // CHECK-NEXT: "t.made"() {a = 2 : i64, c = 3 : i64} : () -> i32
  // CHECK-NEXT: "t.mixed"
  %r0 = "t.mixed"(%2, %a, %b2) : (i32, i32, i32) -> i32
  %r1 = "t.mixed"(%b2, %2) : (i32, i32) -> i32
  %r2 = "t.mixed"(%1, %2) : (i32, i32) -> i32
  // CHECK-NEXT: "t.made"(%{{.*}}) : (i32) -> i32
  // CHECK-NEXT: "t.made"() : () -> i32
  // CHECK-NEXT: "t.mixed"
  // CHECK-NEXT: "t.mixed"
  // CHECK-NEXT: "t.mixed"
  %r3 = "t.mixed"(%a, %b, %1) : (i32, i32, i32) -> i32
  %r4 = "t.mixed"(%a, %t1) : (i32, i32) -> i32
  %r5 = "t.mixed"(%a, %u1) : (i32, i32) -> i32
  %r6 = "t.mixed"(%b, %1) : (i32, i32) -> i32
  %r7 = "t.mixed"(%a, %2) : (i32, i32) -> i32
  "t.use"(%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7) : (i32, i32, i32, i32, i32, i32, i32, i32) -> ()
  return
}

// CHECK-LABEL: func.func @beside
func.func @beside(%a: i32, %b: i32) {
  // CHECK: %[[N:.*]] = "t.neg"
  // CHECK: %[[T:.*]]:2 = "t.two"
  %n = "t.neg"(%a) : (i32) -> i32
  %t:2 = "t.two"(%b, %n) : (i32, i32) -> (i32, i32)
  %u:2 = "t.two"(%b, %n, %n) : (i32, i32, i32) -> (i32, i32)
  // CHECK: "t.made"(%[[T]]#0, %[[N]], %{{.*}}) : (i32, i32, i32) -> i32
  // CHECK-NEXT: "t.made"(%[[T]]#0, %[[N]], %{{.*}}) : (i32, i32, i32) -> i32
  // CHECK-COUNT-4: "t.join"
  %0 = "t.join"(%a, %t#1, %b, %b, %b) {operandSegmentSizes = array<i32: 2, 2, 1>} : (i32, i32, i32, i32, i32) -> i32
  %1 = "t.join"(%a, %t#1) {operandSegmentSizes = array<i32: 2, 0, 0>} : (i32, i32) -> i32
  %2 = "t.join"(%a, %t#0, %b, %b, %b) {operandSegmentSizes = array<i32: 2, 2, 1>} : (i32, i32, i32, i32, i32) -> i32
  %3 = "t.join"(%b, %t#1, %b, %b, %b) {operandSegmentSizes = array<i32: 2, 2, 1>} : (i32, i32, i32, i32, i32) -> i32
  %4 = "t.join"(%a, %t#1, %b) {operandSegmentSizes = array<i32: 1, 1, 1>} : (i32, i32, i32) -> i32
  %5 = "t.join"(%a, %u#1) {operandSegmentSizes = array<i32: 2, 0, 0>} : (i32, i32) -> i32
  "t.use"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i32, i32, i32) -> ()
  return
}
