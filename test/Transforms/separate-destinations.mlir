// RUN: skriptnd-opt %s --codegen-separate-destinations | FileCheck %s

// Each operation writes into a tensor of its own, and so does each fill; what is filled is only read as before.
// CHECK-LABEL: func.func @shared
// CHECK-DAG: %[[FIRST:.*]] = linalg.fill {{.*}} outs(%[[A:.*]] :
// CHECK-DAG: %[[SECOND:.*]] = linalg.fill {{.*}} outs(%[[B:.*]] :
// CHECK-DAG: linalg.generic {{.*}} outs(%[[FIRST]] :
// CHECK-DAG: linalg.generic {{.*}} outs(%[[SECOND]] :
// CHECK: %[[C:.*]] = tensor.empty() : tensor<8xf32>
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[C]] :
#map = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#id = affine_map<(m) -> (m)>
func.func @shared(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x4xf32>) outs(%fill : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.addf %o, %v : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x4xf32>) outs(%fill : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.addf %o, %v : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %1 = arith.mulf %v, %w : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// An argument must not change: what accumulates into it begins with a copy.
// CHECK-LABEL: func.func @begun
// CHECK-SAME: %[[B:[^:]*]]: tensor<8xf32>)
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK: linalg.generic {{.*}} outs(%[[COPY]] :
func.func @begun(%x: tensor<8x4xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %a = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x4xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = arith.addf %o, %v : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %a : tensor<8xf32>
}
