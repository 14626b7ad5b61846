// RUN: skriptnd-opt %s --codegen-distinct-results --split-input-file | FileCheck %s

// What is returned twice is copied.
// CHECK-LABEL: func.func @twice
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X:.*]])
// CHECK: return %[[X]], %[[COPY]]
func.func @twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

// Sums that are reshaped at last are computed into memory of the last shape.
// CHECK-LABEL: func.func @reshaped
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<?x1xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[EMPTY]] {{\[\[}}0, 1]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[FLAT]] :
// CHECK: %[[RESULT:.*]] = tensor.expand_shape %[[SUM]]
// CHECK: return %[[RESULT]]
func.func @reshaped(%n: index, %x: tensor<?xf32>) -> tensor<?x1xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %result = tensor.expand_shape %sum [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %result : tensor<?x1xf32>
}
