// PDL asks for the results of an operation that is not there where a pattern names one several times; each is named once.
// RUN: split-file %s %t && skriptnd-tblgen -gen-pdl %t/rules.td -o %t/rules.pdl
// RUN: skriptnd-opt %t/values.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/rules.pdl"' | FileCheck %s

//--- rules.td
include "mlir/IR/PatternBase.td"
def T : Dialect { let name = "t"; }
class TOp<string name> : Op<T, name> { let results = (outs AnyType:$r); }
def Neg : TOp<"neg"> { let arguments = (ins AnyType:$x); }
def Three : TOp<"three"> { let arguments = (ins AnyType:$x, AnyType:$y, AnyType:$z); }
def P : Pat<(Three (Neg:$n $x), $n, $n), (replaceWithValue $x), [(I32:$n), (AnyInteger:$n), (I32:$x), (AnyInteger:$x)]>;

//--- values.mlir
// CHECK: func.func @values(%[[A:.*]]: i32, %[[B:.*]]: i8)
func.func @values(%a: i32, %b: i8) {
  // CHECK-NEXT: %[[N:.*]] = "t.neg"(%[[A]])
  // CHECK-NEXT: %[[M:.*]] = "t.neg"(%[[B]])
  // CHECK-NEXT: %[[X:.*]] = "t.three"(%[[A]], %[[A]], %[[A]])
  // CHECK-NEXT: %[[Y:.*]] = "t.three"(%[[N]], %[[N]], %[[A]])
  // CHECK-NEXT: %[[Z:.*]] = "t.three"(%[[M]], %[[M]], %[[M]])
  // CHECK-NEXT: "t.use"(%[[A]], %[[X]], %[[Y]], %[[Z]])
  %n = "t.neg"(%a) : (i32) -> i32
  %m = "t.neg"(%b) : (i8) -> i8
  %0 = "t.three"(%n, %n, %n) : (i32, i32, i32) -> i32
  %1 = "t.three"(%a, %a, %a) : (i32, i32, i32) -> i32
  %2 = "t.three"(%n, %n, %a) : (i32, i32, i32) -> i32
  %3 = "t.three"(%m, %m, %m) : (i8, i8, i8) -> i8
  "t.use"(%0, %1, %2, %3) : (i32, i32, i32, i8) -> ()
  return
}
