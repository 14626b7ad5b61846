// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// CHECK-DAG: #[[$BACK:.*]] = affine_map<(d0, d1) -> (d0, -d1 + 7)>

// A deconvolution by strides of 2 is four convolutions, each of which writes every second element of a row and of a column; no loop
// goes over elements.
// CHECK-LABEL: func.func @Deconvolution(
// CHECK-NOT: scf.for
// CHECK-COUNT-4: tensor.insert_slice {{.*}} [1, 4, 8, 8] [1, 1, 2, 2] : tensor<1x4x8x8xf32> into tensor<1x4x16x16xf32>
// CHECK-NOT: scf.for
// CHECK: return
skriptnd.graph @Deconvolution(%x: tensor<1x3x8x8xf32>, %w: tensor<3x4x4x4xf32>) -> (tensor<1x4x16x16xf32>) {
  %0 = skriptnd.nn.deconv(%x, %w, none) {stride = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xf32>, tensor<3x4x4x4xf32>) -> tensor<1x4x16x16xf32>
  skriptnd.return %0 : tensor<1x4x16x16xf32>
}

// A search along an axis carries the element beside its index.
// CHECK-LABEL: func.func @ArgMax(
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins({{.*}} : tensor<5x640xf32>) outs({{.*}}, {{.*}} : tensor<5xf32>, tensor<5xi64>)
// CHECK: arith.cmpf ogt
// CHECK-NOT: scf.for
// CHECK: return
skriptnd.graph @ArgMax(%x: tensor<5x640xf32>) -> (tensor<5x1xi64>) {
  %0 = skriptnd.math.argmax(%x) {axis = 1 : i64} : (tensor<5x640xf32>) -> tensor<5x1xi64>
  skriptnd.return %0 : tensor<5x1xi64>
}

// What is read backwards is a reversed copy.
// CHECK-LABEL: func.func @Backwards(
// CHECK: linalg.generic {indexing_maps = [#[[$BACK]],
// CHECK-NOT: tensor.extract
// CHECK: return
skriptnd.graph @Backwards(%x: tensor<5x8xf32>) -> (tensor<5x8xf32>) {
  %0 = skriptnd.layout.slice(%x) {axes = array<i64: 1>, begin = array<i64: -1>, end = array<i64: -9>, stride = array<i64: -1>} : (tensor<5x8xf32>) -> tensor<5x8xf32>
  skriptnd.return %0 : tensor<5x8xf32>
}
