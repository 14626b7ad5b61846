// RUN: skriptnd-opt %s --codegen-write-parts --canonicalize --split-input-file | FileCheck %s

// Phases of a sum that begin with a bias: each begins with its own part of that, and the tensor with nothing.
// CHECK-LABEL: func.func @phases
// CHECK: %[[WHOLE:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NOT: tensor.extract_slice
// CHECK-NOT: outs(%[[WHOLE]]
// CHECK: %[[EVEN:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[EVEN]] : tensor<4x4xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %[[WHOLE]][0, 0]
// CHECK: %[[ODD:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[ODD]] : tensor<4x4xf32>)
// CHECK-NOT: tensor.extract_slice
// CHECK: return
#whole = affine_map<(c, x) -> (c, x)>
func.func @phases(%b: tensor<4xf32>, %x: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %empty = tensor.empty() : tensor<4x8xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(c, x) -> (c)>, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  %s0 = tensor.extract_slice %bias[0, 0] [4, 4] [1, 2] : tensor<4x8xf32> to tensor<4x4xf32>
  %p0 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%s0 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %t0 = tensor.insert_slice %p0 into %bias[0, 0] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
  %s1 = tensor.extract_slice %t0[0, 1] [4, 4] [1, 2] : tensor<4x8xf32> to tensor<4x4xf32>
  %p1 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%s1 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %t1 = tensor.insert_slice %p1 into %t0[0, 1] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
  return %t1 : tensor<4x8xf32>
}

// -----

// What overlaps an earlier part is read from there.
// CHECK-LABEL: func.func @overlapping
// CHECK: tensor.insert_slice
// CHECK: tensor.extract_slice
// CHECK: return
#whole = affine_map<(x) -> (x)>
func.func @overlapping(%b: f32, %x: tensor<4xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(x) -> ()>, #whole], iterator_types = ["parallel"]}
      ins(%b : f32) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %t0 = tensor.insert_slice %x into %start[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %s1 = tensor.extract_slice %t0[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %p1 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%s1 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %t1 = tensor.insert_slice %p1 into %t0[3] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %t1 : tensor<8xf32>
}
