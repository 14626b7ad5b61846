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

// -----

// So are those whose last shape is computed of the one before, and those of which it is said behind them.
// CHECK-LABEL: func.func @collapsed
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK: %[[NM:.*]] = arith.muli %[[N]], %[[M]]
// CHECK: %[[LENGTH:.*]] = arith.muli
// CHECK: %[[EMPTY:.*]] = tensor.empty({{.*}}) : tensor<?x1xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[EMPTY]] {{\[\[}}0, 1]]
// CHECK: %[[FINE:.*]] = tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1]] output_shape [%[[N]], %[[M]]]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} outs(%[[FINE]] :
// CHECK: tensor.collapse_shape %[[SUM]]
func.func @collapsed(%n: index, %m: index, %x: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %length = arith.muli %n, %m : index
  %result = tensor.expand_shape %flat [[0, 1]] output_shape [%length, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %result : tensor<?x1xf32>
}

// -----

// An extent that is found in what is computed is not known before.
// CHECK-LABEL: func.func @found
// CHECK: linalg.generic
// CHECK-NOT: tensor.empty
func.func @found(%n: index, %x: tensor<?xf32>) -> tensor<?x1xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %length = call @length(%n) : (index) -> index
  %result = tensor.expand_shape %sum [[0, 1]] output_shape [%length, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %result : tensor<?x1xf32>
}
func.func private @length(index) -> index
