// Formulas as operations: they verify, read back as they were written, and CSE shares what repeats in them.
// RUN: skriptnd-opt %s --skriptnd-lower-operators --cse --verify-roundtrip | FileCheck %s
// Lowering them gives what lowering the operators gives.
// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize > %t.whole.mlir
// RUN: skriptnd-opt %s --skriptnd-lower-operators --cse --convert-skriptnd-to-linalg --canonicalize > %t.formulas.mlir
// RUN: FileCheck %s --check-prefixes=LINALG,WHOLE --input-file=%t.whole.mlir
// RUN: FileCheck %s --check-prefixes=LINALG,APART --input-file=%t.formulas.mlir

// CHECK-LABEL: skriptnd.graph @Conv(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x3x8x8xf32>, %[[W:[^:]*]]: tensor<4x3x3x3xf32>, %[[B:[^:]*]]: tensor<4xf32>)
// CHECK: %[[BIAS:.*]] = skriptnd.formula "set" [1, 4, 4, 4](%{{.*}}) {
// CHECK-NEXT: ^bb0(%[[BI:.*]]: i64, %[[NI:.*]]: i64, %[[I:.*]]: i64, %[[J:.*]]: i64, %{{.*}}: tensor<1x4x4x4xf32>):
// CHECK-NEXT: %[[V:.*]] = skriptnd.access %[[B]][%[[NI]]] {guards = array<i64: 0>}
// CHECK-NEXT: skriptnd.assign %[[V]] to[%[[BI]], %[[NI]], %[[I]], %[[J]]]
// CHECK: skriptnd.formula "add" [1, 1, 4, 3, 4, 4, 3, 3](%[[BIAS]]) {
// CHECK: %[[PIXEL:.*]] = skriptnd.access %[[X]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {guards = array<i64: 0, 0, 1, 1>}
// CHECK: %[[WEIGHT:.*]] = skriptnd.access %[[W]][{{.*}}] {guards = array<i64: 0, 0, 0, 0>}
// CHECK: %[[PRODUCT:.*]] = skriptnd.apply "mul"(%[[PIXEL]], %[[WEIGHT]]) : (f32, f32) -> f32
// CHECK: skriptnd.assign %[[PRODUCT]] to[

// LINALG-LABEL: func.func @Conv(
// LINALG-SAME: %[[X:[^:]*]]: tensor<1x3x8x8xf32> {{.*}} %[[W:[^:]*]]: tensor<4x3x3x3xf32>
// LINALG: %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1, 1] high[0, 0, 0, 0]
// LINALG: linalg.generic {{.*}} ins(%[[PADDED]], %[[W]] : tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>)
skriptnd.graph @Conv(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> (tensor<1x4x4x4xf32>) {
  %0 = skriptnd.nn.conv(%x, %w, %b) {padding = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  skriptnd.return %0 : tensor<1x4x4x4xf32>
}

// A condition that reads what is being written.
// CHECK-LABEL: skriptnd.graph @ArgMax(
// CHECK: skriptnd.formula "update"
// CHECK: ^bb0({{.*}}%[[BEST:[^:]*]]: tensor<2x1xi64>):
// CHECK: skriptnd.access %[[BEST]][
// CHECK: skriptnd.apply "gt"
// CHECK: skriptnd.assign {{.*}} if %

// LINALG-LABEL: func.func @ArgMax(
// A search begins with index 0, which an operation by itself does not say.
// WHOLE: linalg.generic {{.*}} outs({{.*}} : tensor<2xf32>, tensor<2xi64>)
// APART: scf.for
// APART: scf.if
// APART: tensor.insert
skriptnd.graph @ArgMax(%x: tensor<2x5xf32>) -> (tensor<2x1xi64>) {
  %0 = skriptnd.math.argmax(%x) {axis = 1 : i64, squeeze = false} : (tensor<2x5xf32>) -> tensor<2x1xi64>
  skriptnd.return %0 : tensor<2x1xi64>
}
