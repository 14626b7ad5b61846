// What a run requires: only what neither ranges nor the indices of the loops prove, in a nest of the loops that decide it.
// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize --cse | FileCheck %s
// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize --cse | skriptnd-opt | FileCheck %s

// The row of a table depends on data, its columns don't.
// CHECK-LABEL: func.func @Rows(
// CHECK-SAME: %[[AT:[^:]*]]: tensor<5xi64>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c5 step %c1 {
// CHECK-NEXT: %[[INDEX:.*]] = tensor.extract %[[AT]][%[[I]]] : tensor<5xi64>
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDEX]], %{{.*}} : i64
// CHECK-NEXT: skriptnd.require %[[INSIDE]], "index {0} is outside of dimension 0 of `input 1`, whose extent is 8"(%[[INDEX]])
// CHECK-SAME: code = "index-out-of-range"
// CHECK: linalg.generic
// CHECK-NOT: skriptnd.require
// CHECK: return
skriptnd.graph @Rows(%at: tensor<5xi64>, %x: tensor<8x16xf32>) -> (tensor<5x16xf32>) {
  %zero = skriptnd.constant dense<0.0> : tensor<5x16xf32>
  %0 = skriptnd.formula "set" [5, 16](%zero) {
  ^bb0(%i: i64, %j: i64, %y: tensor<5x16xf32>):
    %1 = skriptnd.access %at[%i] {guards = array<i64: 0>} : (tensor<5xi64>, i64) -> i64
    %2 = skriptnd.access %x[%1, %j] {guards = array<i64: 0, 0>} : (tensor<8x16xf32>, i64, i64) -> f32
    skriptnd.assign %2 to [%i, %j] {guards = array<i64: 0, 0>, targets = array<i64: 0>} : f32, i64, i64
  } : (tensor<5x16xf32>) -> tensor<5x16xf32>
  skriptnd.return %0 : tensor<5x16xf32>
}

// A remainder is inside, whatever the data are.
// CHECK-LABEL: func.func @Wrapped(
// CHECK-NOT: skriptnd.require
// CHECK: return
skriptnd.graph @Wrapped(%at: tensor<5xi64>, %x: tensor<8xf32>) -> (tensor<5xf32>) {
  %zero = skriptnd.constant dense<0.0> : tensor<5xf32>
  %0 = skriptnd.formula "set" [5](%zero) {
  ^bb0(%i: i64, %y: tensor<5xf32>):
    %eight = arith.constant 8 : i64
    %1 = skriptnd.access %at[%i] {guards = array<i64: 0>} : (tensor<5xi64>, i64) -> i64
    %2 = skriptnd.apply "mod"(%1, %eight) : (i64, i64) -> i64
    %3 = skriptnd.access %x[%2] {guards = array<i64: 0>} : (tensor<8xf32>, i64) -> f32
    skriptnd.assign %3 to [%i] {guards = array<i64: 0>, targets = array<i64: 0>} : f32, i64
  } : (tensor<5xf32>) -> tensor<5xf32>
  skriptnd.return %0 : tensor<5xf32>
}
