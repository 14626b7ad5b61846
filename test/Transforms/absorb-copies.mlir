// RUN: skriptnd-opt %s --codegen-absorb-copies --split-input-file | FileCheck %s

// The keys of one query are read where they lie.
// CHECK: #[[$KEYS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-LABEL: func.func @one_query
// CHECK-SAME: %[[QUERY:.*]]: tensor<12x1x64xf32>, %[[GIVEN:.*]]: tensor<12x?x64xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$KEYS]], #{{.*}}], {{.*}}"reduction"{{.*}} ins(%[[QUERY]], %[[GIVEN]] :
#left = affine_map<(h, m, n, k) -> (h, m, k)>
#right = affine_map<(h, m, n, k) -> (h, k, n)>
#sum = affine_map<(h, m, n, k) -> (h, m, n)>
func.func @one_query(%query: tensor<12x1x64xf32>, %keys: tensor<12x?x64xf32>, %empty: tensor<12x64x?xf32>, %begin: tensor<12x1x?xf32>) -> tensor<12x1x?xf32> {
  %transposed = linalg.generic {indexing_maps = [affine_map<(h, k, n) -> (h, n, k)>, affine_map<(h, k, n) -> (h, k, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%keys : tensor<12x?x64xf32>) outs(%empty : tensor<12x64x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<12x64x?xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%query, %transposed : tensor<12x1x64xf32>, tensor<12x64x?xf32>) outs(%begin : tensor<12x1x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<12x1x?xf32>
  return %scores : tensor<12x1x?xf32>
}

// -----

// Those of many queries are transposed once; so are those of which a few terms lie beside each other.
// CHECK-LABEL: func.func @many_queries
// CHECK: %[[TRANSPOSED:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<12x96x64xf32>)
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%{{.*}}, %[[TRANSPOSED]] : tensor<12x8x64xf32>, tensor<12x64x96xf32>)
// CHECK: %[[SHORT:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<12x96x8xf32>)
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%{{.*}}, %[[SHORT]] : tensor<12x1x8xf32>, tensor<12x8x96xf32>)
#left = affine_map<(h, m, n, k) -> (h, m, k)>
#right = affine_map<(h, m, n, k) -> (h, k, n)>
#sum = affine_map<(h, m, n, k) -> (h, m, n)>
#back = affine_map<(h, k, n) -> (h, n, k)>
#same = affine_map<(h, k, n) -> (h, k, n)>
func.func @many_queries(%queries: tensor<12x8x64xf32>, %keys: tensor<12x96x64xf32>, %begin: tensor<12x8x96xf32>,
    %short: tensor<12x1x8xf32>, %shorter: tensor<12x96x8xf32>, %one: tensor<12x1x96xf32>) -> (tensor<12x8x96xf32>, tensor<12x1x96xf32>) {
  %empty = tensor.empty() : tensor<12x64x96xf32>
  %transposed = linalg.generic {indexing_maps = [#back, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%keys : tensor<12x96x64xf32>) outs(%empty : tensor<12x64x96xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<12x64x96xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%queries, %transposed : tensor<12x8x64xf32>, tensor<12x64x96xf32>) outs(%begin : tensor<12x8x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<12x8x96xf32>
  %little = tensor.empty() : tensor<12x8x96xf32>
  %turned = linalg.generic {indexing_maps = [#back, #same], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shorter : tensor<12x96x8xf32>) outs(%little : tensor<12x8x96xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<12x8x96xf32>
  %others = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%short, %turned : tensor<12x1x8xf32>, tensor<12x8x96xf32>) outs(%one : tensor<12x1x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<12x1x96xf32>
  return %scores, %others : tensor<12x8x96xf32>, tensor<12x1x96xf32>
}

// -----

// Keys that four heads share are read as they are; the heads are two dimensions.
// CHECK: #[[$SHARED:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[QUERY:.*]]: tensor<32x1x64xf32>, %[[GIVEN:.*]]: tensor<8x?x64xf32>
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[QUERY]] {{\[}}[0, 1], [2], [3]] output_shape [8, 4, 1, 64]
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[$SHARED]], #{{.*}}], {{.*}}"reduction"{{.*}} ins(%[[HEADS]], %[[GIVEN]] :
// CHECK: tensor.collapse_shape %[[SUM]] {{\[}}[0, 1], [2], [3]] : tensor<8x4x1x?xf32> into tensor<32x1x?xf32>
#left = affine_map<(h, m, n, k) -> (h, m, k)>
#right = affine_map<(h, m, n, k) -> (h, n, k)>
#sum = affine_map<(h, m, n, k) -> (h, m, n)>
func.func @shared(%query: tensor<32x1x64xf32>, %keys: tensor<8x?x64xf32>, %empty: tensor<8x4x?x64xf32>, %begin: tensor<32x1x?xf32>) -> tensor<32x1x?xf32> {
  %repeated = linalg.generic {indexing_maps = [affine_map<(g, r, n, k) -> (g, n, k)>, affine_map<(g, r, n, k) -> (g, r, n, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%keys : tensor<8x?x64xf32>) outs(%empty : tensor<8x4x?x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x4x?x64xf32>
  %heads = tensor.collapse_shape %repeated [[0, 1], [2], [3]] : tensor<8x4x?x64xf32> into tensor<32x?x64xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%query, %heads : tensor<32x1x64xf32>, tensor<32x?x64xf32>) outs(%begin : tensor<32x1x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x1x?xf32>
  return %scores : tensor<32x1x?xf32>
}
