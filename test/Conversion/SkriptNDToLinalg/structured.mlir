// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>

// Groups split the channels; the loop over one group, and that over one channel of a group, are gone.
// CHECK-LABEL: func.func @Grouped(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x6x8x8xf32> {{.*}} %[[W:[^:]*]]: tensor<12x2x3x3xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<1x12x6x6xf32> into tensor<1x3x4x6x6xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<1x3x2x8x8xf32>, tensor<3x4x2x3x3xf32>) outs(%{{.*}} : tensor<1x3x4x6x6xf32>)
// CHECK: tensor.collapse_shape
skriptnd.graph @Grouped(%x: tensor<1x6x8x8xf32>, %w: tensor<12x2x3x3xf32>) -> (tensor<1x12x6x6xf32>) {
  %0 = skriptnd.nn.conv(%x, %w, none) {groups = 3 : i64, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x8x8xf32>, tensor<12x2x3x3xf32>) -> tensor<1x12x6x6xf32>
  skriptnd.return %0 : tensor<1x12x6x6xf32>
}

// CHECK-LABEL: func.func @Depthwise(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<1x6x8x8xf32>, tensor<6x3x3xf32>) outs(%{{.*}} : tensor<1x6x6x6xf32>)
skriptnd.graph @Depthwise(%x: tensor<1x6x8x8xf32>, %w: tensor<6x1x3x3xf32>) -> (tensor<1x6x6x6xf32>) {
  %0 = skriptnd.nn.conv(%x, %w, none) {groups = 0 : i64, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x8x8xf32>, tensor<6x1x3x3xf32>) -> tensor<1x6x6x6xf32>
  skriptnd.return %0 : tensor<1x6x6x6xf32>
}

// Skipped positions are padded with what changes nothing; the window has an operand of its own.
// CHECK-LABEL: func.func @MaxPool(
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 1] high[0, 0, 0, 0]
// CHECK: tensor.yield %[[LOWEST]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x2x9x9xf32>, tensor<3x3xf32>) outs(%{{.*}} : tensor<1x2x4x4xf32>)
// CHECK: arith.maximumf
skriptnd.graph @MaxPool(%x: tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>) {
  %0 = skriptnd.nn.max_pool(%x) {axes = array<i64: 2, 3>, size = array<i64: 3, 3>, stride = array<i64: 2, 2>, padding = array<i64: 1, 1, 0, 0>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  skriptnd.return %0 : tensor<1x2x4x4xf32>
}

// Results of broadcasting need no copies of the operands.
// CHECK-LABEL: func.func @Broadcast(
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$ROW]], #{{.*}}]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<3xf32>)
// CHECK: arith.subf
skriptnd.graph @Broadcast(%x: tensor<2x3xf32>, %row: tensor<3xf32>) -> (tensor<2x3xf32>) {
  %0 = skriptnd.math.sub(%x, %row) {rhs_align = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  skriptnd.return %0 : tensor<2x3xf32>
}

// Indices that are data are kept inside the tensor.
// CHECK-LABEL: func.func @Gather(
// CHECK: linalg.generic
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: tensor.extract
skriptnd.graph @Gather(%x: tensor<5x3xf32>, %index: tensor<2xi64>) -> (tensor<2x3xf32>) {
  %0 = skriptnd.layout.gather(%x, %index) {axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  skriptnd.return %0 : tensor<2x3xf32>
}
