// generic index outside
func.func @f(%t: tensor<4x4xf32>, %x: f32, %i: index) {
  %0 = "linalg.index"() <{dim = 0 : i64}> : () -> index
  return
}

// -----
// generic index of a negative dimension
func.func @f(%t: tensor<4x4xf32>, %x: f32, %i: index) {
  %0 = "linalg.index"() <{dim = -1 : i64}> : () -> index
  return
}

// -----
// generic matmul of too few
func.func @f(%t: tensor<4x4xf32>, %x: f32, %i: index) {
  %0 = "linalg.matmul"(%t) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// generic generic
func.func @f(%t: tensor<4x4xf32>, %x: f32, %i: index) {
  %0 = "linalg.generic"(%t, %t) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%p: f32, %q: f32):
    "linalg.yield"(%p) : (f32) -> ()
  }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// generic fill
func.func @f(%t: tensor<4x4xf32>, %x: f32, %i: index) {
  %0 = "linalg.fill"(%x, %t) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%p: f32, %q: f32):
    "linalg.yield"(%p) : (f32) -> ()
  }) : (f32, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// softmax
func.func @f(%t: tensor<4x4xf32>, %x: f32, %i: index) {
  %0 = linalg.softmax dimension(1) ins(%t : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
