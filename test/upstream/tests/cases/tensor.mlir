// cast
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  return
}

// -----
// cast to another element type
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<4x?xi32>
  return
}

// -----
// dim
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.dim %t, %i : tensor<4x?xf32>
  return
}

// -----
// dim of a number
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = "tensor.dim"(%x, %i) : (f32, index) -> index
  return
}

// -----
// empty
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.empty(%i) : tensor<4x?xf32>
  return
}

// -----
// empty with too few sizes
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.empty() : tensor<4x?xf32>
  return
}

// -----
// extract
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  return
}

// -----
// extract with too few indices
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.extract %t[%i] : tensor<4x?xf32>
  return
}

// -----
// insert
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.insert %x into %t[%i, %i] : tensor<4x?xf32>
  return
}

// -----
// from_elements
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.from_elements %x, %x : tensor<2xf32>
  return
}

// -----
// from_elements of too few
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.from_elements %x : tensor<2xf32>
  return
}

// -----
// splat
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.splat %x : tensor<4xf32>
  return
}

// -----
// splat of a sized one
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.splat %x[%i] : tensor<4x?xf32>
  return
}

// -----
// rank
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.rank %d : tensor<*xf32>
  return
}

// -----
// reshape
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.reshape %s(%u) : (tensor<4x4xf32>, tensor<2xindex>) -> tensor<2x8xf32>
  return
}

// -----
// generic extract_slice
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = "tensor.extract_slice"(%s) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return
}

// -----
// generic collapse_shape
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = "tensor.collapse_shape"(%s) <{reassociation = [[0, 1]]}> : (tensor<4x4xf32>) -> tensor<16xf32>
  return
}

// -----
// collapse_shape
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return
}

// -----
// generic generate
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = "tensor.generate"() ({
  ^bb0(%k: index):
    "tensor.yield"(%x) : (f32) -> ()
  }) : () -> tensor<4xf32>
  return
}

// -----
// bitcast
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.bitcast %n : tensor<4xi32> to tensor<4xf32>
  return
}

// -----
// gather
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.gather %s[%g] gather_dims([0]) : (tensor<4x4xf32>, tensor<1x1xindex>) -> tensor<1x1x4xf32>
  return
}

// -----
// concat
func.func @f(%t: tensor<4x?xf32>, %s: tensor<4x4xf32>, %i: index, %x: f32, %u: tensor<2xindex>, %d: tensor<*xf32>, %n: tensor<4xi32>) {
  %0 = tensor.concat dim(0) %s, %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return
}

// -----
// cast to other extents
func.func @f(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<5xf32>
  return
}

// -----
// cast to an unknown rank
func.func @f(%t: tensor<4xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  return
}
