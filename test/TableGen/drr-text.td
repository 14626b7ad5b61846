// What examples of upstream's text about DRR do when they are applied.
// RUN: split-file %s %t
// RUN: cat %t/ops.td %t/groups.td > %t/g.td && skriptnd-tblgen -gen-pdl %t/g.td -o %t/g.pdl && mlir-opt %t/g.pdl -o /dev/null
// RUN: skriptnd-opt %t/groups.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/g.pdl"' | FileCheck %s --check-prefix=GROUPS
// RUN: cat %t/ops.td %t/results.td > %t/r.td && skriptnd-tblgen -gen-pdl %t/r.td -o %t/r.pdl && mlir-opt %t/r.pdl -o /dev/null
// RUN: skriptnd-opt %t/results.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/r.pdl"' | FileCheck %s --check-prefix=RESULTS
// RUN: cat %t/ops.td %t/places.td > %t/p.td && skriptnd-tblgen -gen-pdl %t/p.td -o %t/p.pdl && mlir-opt %t/p.pdl -o /dev/null
// RUN: skriptnd-opt %t/places.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/p.pdl"' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=PLACES

//--- ops.td
include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
class TOp<string name, list<Trait> traits = []> : Op<T, name, traits>;
def Made : TOp<"made"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); }
def Both : TOp<"both"> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$r); }
def Stack : TOp<"stack"> { let arguments = (ins Variadic<AnyType>:$xs); let results = (outs AnyType:$r); }
def Some : TOp<"some"> { let arguments = (ins AnyType:$x); let results = (outs Variadic<AnyType>:$rs); }
def Multi : TOp<"multi"> {
  let arguments = (ins AnyType:$x, Variadic<AnyType>:$xs, AnyType:$y);
  let results = (outs AnyType:$r, Variadic<AnyType>:$rs, AnyType:$q);
}
def Pairs : TOp<"pairs", [SameVariadicOperandSize]> {
  let arguments = (ins Variadic<AnyType>:$xs, Variadic<AnyType>:$ys); let results = (outs AnyType:$r);
}
def Segments : TOp<"segments", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyType>:$xs, Variadic<AnyType>:$ys); let results = (outs AnyType:$r);
}
def Cat : TOp<"cat"> { let arguments = (ins Variadic<AnyType>:$xs, I32Attr:$axis); let results = (outs AnyType:$r); }
def Two : TOp<"two"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$a, AnyType:$b); }
def Pair : TOp<"pair"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$a, AnyType:$b); }
def Three : TOp<"three"> { let arguments = (ins AnyType:$x); let results = (outs I32:$a, I32:$b, I32:$c); }
def First : TOp<"first"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); }
def Second : TOp<"second"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); }

//--- groups.td
def TwoInside : Pat<(Multi $x, (variadic $p, $q), $y), (Multi $y, (variadic $q), $x)>;
def Grouped : Pattern<(Multi $x, (variadic), $y), [(Made $y), (Some $x), (Made $x)]>;
def Halves : Pat<(Pairs $xs, $ys), (Stack $ys)>;
def TwoAndAny : Pat<(Segments (variadic $p, $q), $ys), (Both $q, $p)>;
def TwoFirst : Pat<(Cat (variadic:$all $p, $q), ConstantAttr<I32Attr, "0">), (Stack $all)>;

//--- groups.mlir
// GROUPS: %[[B:.*]]:4 = "t.b"()
%b:4 = "t.b"() : () -> (i1, i2, i3, i4)
// GROUPS-NEXT: %[[ONE:.*]]:4 = "t.multi"(%[[B]]#3, %[[B]]#2, %[[B]]#0) : (i4, i3, i1) -> (i1, i2, i3, i4)
%1:4 = "t.multi"(%b#0, %b#1, %b#2, %b#3) : (i1, i2, i3, i4) -> (i1, i2, i3, i4)
// GROUPS-NEXT: %[[R:.*]] = "t.made"(%[[B]]#1) : (i2) -> i5
// GROUPS-NEXT: %[[RS:.*]]:2 = "t.some"(%[[B]]#0) : (i1) -> (i6, i7)
// GROUPS-NEXT: %[[Q:.*]] = "t.made"(%[[B]]#0) : (i1) -> i8
%2:4 = "t.multi"(%b#0, %b#1) : (i1, i2) -> (i5, i6, i7, i8)
// Too many and too few inside.
// GROUPS-NEXT: "t.multi"(%[[B]]#0, %[[B]]#1, %[[B]]#3)
// GROUPS-NEXT: "t.multi"(%[[B]]#0)
%3:3 = "t.multi"(%b#0, %b#1, %b#3) : (i1, i2, i4) -> (i1, i2, i3)
%4:3 = "t.multi"(%b#0) : (i1) -> (i1, i2, i3)
// GROUPS-NEXT: "t.stack"(%[[B]]#2, %[[B]]#3)
%5 = "t.pairs"(%b#0, %b#1, %b#2, %b#3) : (i1, i2, i3, i4) -> i1
// GROUPS-NEXT: "t.both"(%[[B]]#1, %[[B]]#0)
%6 = "t.segments"(%b#0, %b#1, %b#2) {operandSegmentSizes = array<i32: 2, 1>} : (i1, i2, i3) -> i1
// GROUPS-NEXT: "t.segments"(%[[B]]#0, %[[B]]#1, %[[B]]#2)
%7 = "t.segments"(%b#0, %b#1, %b#2) {operandSegmentSizes = array<i32: 1, 2>} : (i1, i2, i3) -> i1
// GROUPS-NEXT: "t.stack"(%[[B]]#0, %[[B]]#1)
// GROUPS-NEXT: "t.cat"(%[[B]]#0, %[[B]]#1) {axis = 1 : i32}
// GROUPS-NEXT: "t.cat"(%[[B]]#0) {axis = 0 : i32}
%8 = "t.cat"(%b#0, %b#1) {axis = 0 : i32} : (i1, i2) -> i1
%9 = "t.cat"(%b#0, %b#1) {axis = 1 : i32} : (i1, i2) -> i1
%10 = "t.cat"(%b#0) {axis = 0 : i32} : (i1) -> i1
// GROUPS-NEXT: "t.use"(%[[ONE]]#0, %[[ONE]]#3, %[[R]], %[[RS]]#0, %[[RS]]#1, %[[Q]])
"t.use"(%1#0, %1#3, %2#0, %2#1, %2#2, %2#3) : (i1, i4, i5, i6, i7, i8) -> ()

//--- results.td
def LastAndFirst : Pattern<(Two $x), [(Three:$results__2 $x), (replaceWithValue $results__0)]>;
def OfNested : Pat<(Made (Multi:$m__0 $x, (variadic), $y)), (Both $m__2, $y)>;
def Typed : Pat<(First $x), (Both $x, (Pair:$t__1 $x, (returnType $x, "$_builder.getI64Type()")))>;

//--- results.mlir
// RESULTS: %[[B:.*]] = "t.b"()
%b = "t.b"() : () -> i32
// RESULTS-NEXT: %[[THREE:.*]]:3 = "t.three"(%[[B]])
%1:2 = "t.two"(%b) : (i32) -> (i32, i32)
// RESULTS-NEXT: %[[MULTI:.*]]:4 = "t.multi"
%2:4 = "t.multi"(%b, %b) : (i32, i32) -> (i32, i2, i3, i4)
// RESULTS-NEXT: %[[MADE:.*]] = "t.both"(%[[MULTI]]#3, %[[B]]) : (i4, i32) -> i8
// RESULTS-NEXT: %[[OTHER:.*]] = "t.made"(%[[MULTI]]#3)
%3 = "t.made"(%2#0) : (i32) -> i8
%4 = "t.made"(%2#3) : (i4) -> i8
// RESULTS-NEXT: %[[TYPED:.*]]:2 = "t.pair"(%[[B]]) : (i32) -> (i32, i64)
// RESULTS-NEXT: %[[BOTH:.*]] = "t.both"(%[[B]], %[[TYPED]]#1) : (i32, i64) -> i8
%5 = "t.first"(%b) : (i32) -> i8
// RESULTS-NEXT: "t.use"(%[[THREE]]#2, %[[THREE]]#0, %[[MADE]], %[[OTHER]], %[[BOTH]])
"t.use"(%1#0, %1#1, %3, %4, %5) : (i32, i32, i8, i8, i8) -> ()

//--- places.td
def Placed : Pat<(First:$a (Second:$b $x)),
  (Both (Three:$t__0 $x, (location $a, $b)), (Three:$u__1 $x, (location "about", $b, $a)), (location "outer"))>;
def Kept : Pat<(Second:$b (First:$a $x)), (Both $x, (Three:$t__0 $x, (location $a)))>;

//--- places.mlir
// PLACES: "t.three"({{.*}} loc(fused["one", "two"])
// PLACES-NEXT: "t.three"({{.*}} loc(fused<"about">["two", "one"])
// PLACES-NEXT: "t.both"({{.*}} loc("outer")
%b = "t.b"() : () -> i32
%1 = "t.second"(%b) : (i32) -> i32 loc("two")
%2 = "t.first"(%1) : (i32) -> i32 loc("one")
"t.use"(%2) : (i32) -> ()
// PLACES: "t.three"({{.*}} loc("four")
// PLACES-NEXT: "t.both"({{.*}} loc(fused["three", "four"])
%3 = "t.b"() : () -> i32
%4 = "t.first"(%3) : (i32) -> i32 loc("four")
%5 = "t.second"(%4) : (i32) -> i32 loc("three")
"t.use"(%5) : (i32) -> ()
