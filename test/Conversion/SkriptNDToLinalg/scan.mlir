// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// A sum over all items before one carries the sum, so that each item is added once: a reduction gives the last sums, and writes each.
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$ALONG:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[$OTHERS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$BACK:.*]] = affine_map<(d0, d1) -> (d0, -d1 + 48)>

// CHECK-LABEL: func.func @Rows(
// CHECK: linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALONG]], #[[$OTHERS]], #[[$ALL]]], iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<4x50x16xf32>, tensor<50xf32>) outs(%{{.*}}, %{{.*}} : tensor<4x16xf32>, tensor<4x50x16xf32>)
// CHECK: ^bb0(%[[ITEM:.*]]: f32, %{{.*}}: f32, %[[BEFORE:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[ITEM]] : f32
// CHECK: linalg.yield %[[SUM]], %[[SUM]] : f32, f32
// CHECK: return
skriptnd.graph @Rows(%x: tensor<4x50x16xf32>) -> (tensor<4x50x16xf32>) {
  %0 = skriptnd.math.cumsum(%x) {axis = 1 : i64} : (tensor<4x50x16xf32>) -> tensor<4x50x16xf32>
  skriptnd.return %0 : tensor<4x50x16xf32>
}

// Backwards, and without an item's own: the last has none.
// CHECK-LABEL: func.func @Backwards(
// CHECK: tensor.extract_slice %{{.*}}[0, 1] [4, 49] [1, 1] : tensor<4x50xf32> to tensor<4x49xf32>
// CHECK: %[[SUMS:.*]]:2 = linalg.generic {indexing_maps = [#[[$BACK]], #{{.*}}, #{{.*}}, #[[$BACK]]], iterator_types = ["parallel", "reduction"]}
// CHECK: tensor.insert_slice %[[SUMS]]#1 into %{{.*}}[0, 0] [4, 49] [1, 1] : tensor<4x49xf32> into tensor<4x50xf32>
// CHECK: return
skriptnd.graph @Backwards(%x: tensor<4x50xf32>) -> (tensor<4x50xf32>) {
  %0 = skriptnd.math.cumsum(%x) {axis = 1 : i64, exclusive = true, reverse = true} : (tensor<4x50xf32>) -> tensor<4x50xf32>
  skriptnd.return %0 : tensor<4x50xf32>
}

// Of one item, none has a sum without it.
// CHECK-LABEL: func.func @None(
// CHECK-NOT: linalg.generic
// CHECK: return
skriptnd.graph @None(%x: tensor<4x1xf32>) -> (tensor<4x1xf32>) {
  %0 = skriptnd.math.cumsum(%x) {axis = 1 : i64, exclusive = true} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  skriptnd.return %0 : tensor<4x1xf32>
}
