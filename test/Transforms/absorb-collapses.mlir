// RUN: skriptnd-opt %s --codegen-absorb-collapses --split-input-file | FileCheck %s

// What drops dimensions of extent 1 disappears into the maps of its readers, also beside dimensions that are merged.
// CHECK: #[[$READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @dropped
// CHECK: %[[MERGED:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3], [4, 5]] : tensor<1x8x6x2x6x2xf32> into tensor<1x8x12x12xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$READ]], #[[$READ]]], {{.*}} ins(%[[MERGED]] :
#all = affine_map<(n, m, y, x) -> (n, m, y, x)>
func.func @dropped(%parts: tensor<1x8x6x2x6x2xf32>) -> tensor<1x8x12x12xf32> {
  %merged = tensor.collapse_shape %parts [[0, 1], [2, 3], [4, 5]] : tensor<1x8x6x2x6x2xf32> into tensor<8x12x12xf32>
  %out = tensor.empty() : tensor<1x8x12x12xf32>
  %same = linalg.generic {indexing_maps = [affine_map<(n, m, y, x) -> (m, y, x)>, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%merged : tensor<8x12x12xf32>) outs(%out : tensor<1x8x12x12xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x8x12x12xf32>
  return %same : tensor<1x8x12x12xf32>
}

// -----

// What reads an argument by index depends on it, though it is no operand: it is no filter that keeps its form.
// CHECK-LABEL: func.func @read_by_index
// CHECK: %[[MADE:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} ins(%[[MADE]] : tensor<1x8x8xf32>)
#three = affine_map<(n, m, x) -> (n, m, x)>
func.func @read_by_index(%input: tensor<8xf32>) -> tensor<1x8x8xf32> {
  %empty = tensor.empty() : tensor<1x8x8xf32>
  %made = linalg.generic {indexing_maps = [#three], iterator_types = ["parallel", "parallel", "parallel"]} outs(%empty : tensor<1x8x8xf32>) {
  ^bb0(%o: f32):
    %m = linalg.index 1 : index
    %element = tensor.extract %input[%m] : tensor<8xf32>
    linalg.yield %element : f32
  } -> tensor<1x8x8xf32>
  %dropped = tensor.collapse_shape %made [[0, 1], [2]] : tensor<1x8x8xf32> into tensor<8x8xf32>
  %same = linalg.generic {indexing_maps = [affine_map<(n, m, x) -> (m, x)>, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dropped : tensor<8x8xf32>) outs(%empty : tensor<1x8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x8xf32>
  return %same : tensor<1x8x8xf32>
}

// What is stored in few bits is extended before units are dropped, so that its reader knows nothing of that either.
// CHECK-LABEL: func.func @extended
// CHECK: %[[WIDE:.*]] = linalg.generic
// CHECK-SAME: ins(%arg0 : tensor<1x4x8xi8>)
// CHECK: arith.extui
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[WIDE]] : tensor<1x4x8xi64>)
func.func @extended(%x: tensor<1x4x8xi8>) -> tensor<1x4x8xi64> {
  %dropped = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x4x8xi8> into tensor<4x8xi8>
  %empty = tensor.empty() : tensor<4x8xi64>
  %wide = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%dropped : tensor<4x8xi8>) outs(%empty : tensor<4x8xi64>) {
  ^bb0(%a: i8, %o: i64):
    %1 = arith.extui %a : i8 to i64
    linalg.yield %1 : i64
  } -> tensor<4x8xi64>
  %out = tensor.empty() : tensor<1x4x8xi64>
  %sum = linalg.generic {indexing_maps = [affine_map<(u, i, j) -> (i, j)>, affine_map<(u, i, j) -> (u, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wide : tensor<4x8xi64>) outs(%out : tensor<1x4x8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %1 = arith.addi %a, %a : i64
    linalg.yield %1 : i64
  } -> tensor<1x4x8xi64>
  return %sum : tensor<1x4x8xi64>
}
