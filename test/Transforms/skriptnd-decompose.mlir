// RUN: skriptnd-opt %s --skriptnd-decompose | FileCheck %s
// RUN: skriptnd-opt %s --skriptnd-decompose='keep=nn.softmax' | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: skriptnd.graph @Softmax(
// CHECK-SAME: %[[X:[^:]*]]:
// CHECK-NEXT: %[[MAX:.*]] = skriptnd.math.max_reduce(%[[X]]) {axes = array<i64: 1>, squeeze = false}
// CHECK-NEXT: %[[SHIFTED:.*]] = skriptnd.math.sub(%[[X]], %[[MAX]])
// CHECK-NEXT: %[[EXP:.*]] = skriptnd.math.exp(%[[SHIFTED]])
// CHECK-NEXT: %[[SUM:.*]] = skriptnd.math.sum_reduce(%[[EXP]]) {axes = array<i64: 1>, squeeze = false}
// CHECK-NEXT: %[[Y:.*]] = skriptnd.math.div(%[[EXP]], %[[SUM]])
// CHECK-NEXT: skriptnd.return %[[Y]]
// KEEP-LABEL: skriptnd.graph @Softmax(
// KEEP: skriptnd.nn.softmax
skriptnd.graph @Softmax(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %0 = skriptnd.nn.softmax(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  skriptnd.return %0 : tensor<2x3xf32>
}

// Compositions inside compositions, and branches on what is null.
// CHECK-LABEL: skriptnd.graph @Norm(
// CHECK-NOT: skriptnd.nn.
// CHECK-NOT: skriptnd.math.moments
// CHECK: skriptnd.math.sum_reduce
// CHECK: skriptnd.math.sqrt
// KEEP-LABEL: skriptnd.graph @Norm(
// KEEP-NOT: skriptnd.nn.
skriptnd.graph @Norm(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>) {
  %0 = skriptnd.nn.mean_variance_norm(%x, none, none) {axes = array<i64: 2>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  skriptnd.return %0 : tensor<2x3x4xf32>
}
