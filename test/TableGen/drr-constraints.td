// Constraints of MLIR are known by their names where patterns are applied from a file; those without a name are not taken for
// one another.
// RUN: split-file %s %t
// RUN: skriptnd-tblgen -gen-pdl %t/named.td -o %t/named.pdl
// RUN: skriptnd-opt %t/named.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/named.pdl"' | FileCheck %s
// RUN: cat %t/ops.td %t/unnamed.td > %t/u.td && skriptnd-tblgen -gen-pdl %t/u.td -o %t/u.pdl
// RUN: not skriptnd-opt %t/named.mlir --allow-unregistered-dialect --apply-pdl-patterns='file="%/t/u.pdl"' 2>&1 | FileCheck %s --check-prefix=UNNAMED

//--- ops.td
include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
class TOp<string name> : Op<T, name> { let results = (outs AnyType:$r); }
def A : TOp<"a"> { let arguments = (ins AnyType:$x, AnyAttr:$n); }
def C : TOp<"c"> { let arguments = (ins AnyType:$x, AnyAttr:$n); }
def V : TOp<"v"> { let arguments = (ins Variadic<AnyTensor>:$xs, DefaultValuedAttr<I64Attr, "3">:$n); }
def W : TOp<"w"> { let arguments = (ins Variadic<AnyTensor>:$xs); }

//--- named.td
include "ops.td"
def Tensor : Pat<(A:$a F32Tensor:$x, F32Attr:$n), (C $x, $n), [(HasNoUseOf:$a)]>;
def Integer : Pat<(A I32:$x, F32Attr:$n), (C $x, $n)>;
def All : Pat<(V F32Tensor:$xs, I64Attr:$n), (W $xs)>;

//--- unnamed.td
// UNNAMED: {{.*}}u.pdl:[[#]]:5: error: native function `Positive_holds`: there is no native constraint of that name; what patterns ask of Rust is compiled with them, by -gen-rewriters
def Positive : Pat<(A $x, ConfinedAttr<I64Attr, [IntPositive]>:$n), (C $x, $n)>;

//--- named.mlir
// CHECK: %[[S:.*]]:4 = "src"()
%s:4 = "src"() : () -> (tensor<2xf32>, tensor<3xf32>, tensor<2xi8>, i32)
// CHECK-NEXT: "t.c"(%[[S]]#0) {n = 1.000000e+00 : f32}
%0 = "t.a"(%s#0) {n = 1.0 : f32} : (tensor<2xf32>) -> i32
// It has a use.
// CHECK-NEXT: "t.a"(%[[S]]#0)
%1 = "t.a"(%s#0) {n = 1.0 : f32} : (tensor<2xf32>) -> i32
// CHECK-NEXT: "t.c"(%[[S]]#3)
%2 = "t.a"(%s#3) {n = 1.0 : f32} : (i32) -> i32
// CHECK-NEXT: "t.a"(%[[S]]#3) {n = 1.000000e+00 : f64}
%3 = "t.a"(%s#3) {n = 1.0 : f64} : (i32) -> i32
// CHECK-NEXT: "t.a"(%[[S]]#2)
%4 = "t.a"(%s#2) {n = 1.0 : f32} : (tensor<2xi8>) -> i32
// CHECK-NEXT: "t.w"(%[[S]]#0, %[[S]]#1)
%5 = "t.v"(%s#0, %s#1) : (tensor<2xf32>, tensor<3xf32>) -> i32
// CHECK-NEXT: "t.w"()
%6 = "t.v"() {n = 7} : () -> i32
// CHECK-NEXT: "t.v"(%[[S]]#0, %[[S]]#2)
%7 = "t.v"(%s#0, %s#2) : (tensor<2xf32>, tensor<2xi8>) -> i32
// CHECK-NEXT: "t.v"(%[[S]]#0) {n = 1 : i32}
%8 = "t.v"(%s#0) {n = 1 : i32} : (tensor<2xf32>) -> i32
"t.use"(%1) : (i32) -> ()
