// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// Rows whose place data say are copied whole; where data say the place of each element, elements are.
// CHECK-LABEL: func.func @Rows(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: %[[ROW:.*]] = tensor.extract_slice %{{.*}} : tensor<7x5x16xf32> to tensor<5x16xf32>
// CHECK: tensor.insert_slice %[[ROW]] into %{{.*}}[%{{.*}}, 0, 0] [1, 5, 16] [1, 1, 1]
// CHECK: return
skriptnd.graph @Rows(%x: tensor<40x5x16xf32>, %i: tensor<7x1xi64>, %u: tensor<7x5x16xf32>) -> (tensor<40x5x16xf32>) {
  %0 = skriptnd.layout.scatter_nd(%x, %i, %u) {batch_dims = 0 : i64} : (tensor<40x5x16xf32>, tensor<7x1xi64>, tensor<7x5x16xf32>) -> tensor<40x5x16xf32>
  skriptnd.return %0 : tensor<40x5x16xf32>
}

// CHECK-LABEL: func.func @Elements(
// CHECK-NOT: insert_slice
// CHECK: tensor.insert
// CHECK: return
skriptnd.graph @Elements(%x: tensor<40x16xf32>, %i: tensor<7x16xi64>, %u: tensor<7x16xf32>) -> (tensor<40x16xf32>) {
  %0 = skriptnd.layout.scatter(%x, %i, %u) {axis = 0 : i64} : (tensor<40x16xf32>, tensor<7x16xi64>, tensor<7x16xf32>) -> tensor<40x16xf32>
  skriptnd.return %0 : tensor<40x16xf32>
}
