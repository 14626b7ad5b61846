// Data movement is recognised by the structure of indices: no element is computed.
// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// CHECK-DAG: #[[$SWAPPED:.*]] = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @Concat(
// CHECK-SAME: %[[A:[^:]*]]: tensor<2x3xf32> {{.*}} %[[B:[^:]*]]: tensor<2x5xf32>
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<2x8xf32>
// CHECK-NEXT: %[[ONE:.*]] = tensor.insert_slice %[[A]] into %[[EMPTY]][0, 0] [2, 3] [1, 1]
// CHECK-NEXT: %[[TWO:.*]] = tensor.insert_slice %[[B]] into %[[ONE]][0, 3] [2, 5] [1, 1]
// CHECK-NEXT: return %[[TWO]]
skriptnd.graph @Concat(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> (tensor<2x8xf32>) {
  %0 = skriptnd.layout.concat([%a, %b]) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  skriptnd.return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @Split(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x8xf32>
// CHECK-DAG: %[[ONE:.*]] = tensor.extract_slice %[[X]][0, 0] [2, 3] [1, 1] : tensor<2x8xf32> to tensor<2x3xf32>
// CHECK-DAG: %[[TWO:.*]] = tensor.extract_slice %[[X]][0, 3] [2, 5] [1, 1] : tensor<2x8xf32> to tensor<2x5xf32>
// CHECK: return %[[ONE]], %[[TWO]]
skriptnd.graph @Split(%x: tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x5xf32>) {
  %0:2 = skriptnd.layout.split(%x) {axis = 1 : i64, sizes = array<i64: 3, 5>, resultSegmentSizes = array<i32: 2>} : (tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x5xf32>)
  skriptnd.return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x5xf32>
}

// CHECK-LABEL: func.func @Flatten(
// CHECK-NEXT: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
// CHECK-NEXT: return %[[FLAT]]
skriptnd.graph @Flatten(%x: tensor<2x3x4xf32>) -> (tensor<2x12xf32>) {
  %0 = skriptnd.layout.flatten(%x) {axis = 1 : i64, rank = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  skriptnd.return %0 : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @Unflatten(
// CHECK-NEXT: %[[SPLIT:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [2, 3, 4] : tensor<2x12xf32> into tensor<2x3x4xf32>
// CHECK-NEXT: return %[[SPLIT]]
skriptnd.graph @Unflatten(%x: tensor<2x12xf32>) -> (tensor<2x3x4xf32>) {
  %0 = skriptnd.layout.unflatten(%x) {axis = 1 : i64, shape = array<i64: 3, 4>} : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
  skriptnd.return %0 : tensor<2x3x4xf32>
}

// Every second element, from the second one on.
// CHECK-LABEL: func.func @Slice(
// CHECK-NEXT: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 1] [2, 3] [1, 2] : tensor<2x8xf32> to tensor<2x3xf32>
// CHECK-NEXT: return %[[PART]]
skriptnd.graph @Slice(%x: tensor<2x8xf32>) -> (tensor<2x3xf32>) {
  %0 = skriptnd.layout.slice(%x) {axes = array<i64: 1>, begin = array<i64: 1>, end = array<i64: 7>, stride = array<i64: 2>} : (tensor<2x8xf32>) -> tensor<2x3xf32>
  skriptnd.return %0 : tensor<2x3xf32>
}

// A transposition is a copy with a permuted map.
// CHECK-LABEL: func.func @Transpose(
// CHECK: linalg.generic {indexing_maps = [#[[$SWAPPED]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: linalg.yield %[[IN]]
skriptnd.graph @Transpose(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>) {
  %0 = skriptnd.layout.transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  skriptnd.return %0 : tensor<3x2xf32>
}
