// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// A sum over all items before one carries the sum, so that each item is added once: rows where there are enough elements behind it,
// else single ones.
// CHECK-LABEL: func.func @Rows(
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (tensor<4x50x16xf32>, tensor<4x16xf32>)
// CHECK-NOT: reduction
// CHECK: linalg.generic {{.*}} outs(%[[SUM]], %{{.*}} : tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK: return
skriptnd.graph @Rows(%x: tensor<4x50x16xf32>) -> (tensor<4x50x16xf32>) {
  %0 = skriptnd.math.cumsum(%x) {axis = 1 : i64} : (tensor<4x50x16xf32>) -> tensor<4x50x16xf32>
  skriptnd.return %0 : tensor<4x50x16xf32>
}

// CHECK-LABEL: func.func @Elements(
// Four rows go together: what one sum waits for, others need not.
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SUM:[^ ]*]] = %{{[^ ]*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> (tensor<4x50xf32>, f32, f32, f32, f32)
// CHECK: arith.addf %[[SUM]], %{{.*}} : f32
// CHECK-COUNT-4: tensor.insert
// CHECK: return
skriptnd.graph @Elements(%x: tensor<4x50xf32>) -> (tensor<4x50xf32>) {
  %0 = skriptnd.math.cumsum(%x) {axis = 1 : i64, exclusive = true, reverse = true} : (tensor<4x50xf32>) -> tensor<4x50xf32>
  skriptnd.return %0 : tensor<4x50xf32>
}
