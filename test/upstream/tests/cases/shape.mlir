// add
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.add %z, %z : !shape.size, !shape.size -> !shape.size
  return
}

// -----
// mul
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.mul %z, %z : !shape.size, !shape.size -> !shape.size
  return
}

// -----
// div
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.div %z, %z : !shape.size, !shape.size -> !shape.size
  return
}

// -----
// add of shapes
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = "shape.add"(%s, %s) : (!shape.shape, !shape.shape) -> !shape.size
  return
}

// -----
// broadcast
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.broadcast %s, %s : !shape.shape, !shape.shape -> !shape.shape
  return
}

// -----
// concat
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.concat %s, %s : !shape.shape, !shape.shape -> !shape.shape
  return
}

// -----
// const_size
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.const_size 4
  return
}

// -----
// const_witness
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.const_witness true
  return
}

// -----
// generic const_shape
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = "shape.const_shape"() <{shape = dense<[1, 2]> : tensor<2xindex>}> : () -> !shape.shape
  return
}

// -----
// cstr_broadcastable
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.cstr_broadcastable %s, %s : !shape.shape, !shape.shape
  return
}

// -----
// cstr_eq
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.cstr_eq %s, %s : !shape.shape, !shape.shape
  return
}

// -----
// dim
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.dim %t, %i : tensor<?xf32>, index -> index
  return
}

// -----
// shape_of
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.shape_of %t : tensor<?xf32> -> tensor<?xindex>
  return
}

// -----
// value_as_shape
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.value_as_shape %e : tensor<?xindex> -> !shape.shape
  return
}

// -----
// rank
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.rank %s : !shape.shape -> !shape.size
  return
}

// -----
// num_elements
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.num_elements %s : !shape.shape -> !shape.size
  return
}

// -----
// get_extent
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.get_extent %s, %z : !shape.shape, !shape.size -> !shape.size
  return
}

// -----
// index_to_size
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.index_to_size %i
  return
}

// -----
// size_to_index
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.size_to_index %z : !shape.size
  return
}

// -----
// to_extent_tensor
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
  return
}

// -----
// any
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.any %s, %s : !shape.shape, !shape.shape -> !shape.shape
  return
}

// -----
// min
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.min %z, %z : !shape.size, !shape.size -> !shape.size
  return
}

// -----
// max
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.max %z, %z : !shape.size, !shape.size -> !shape.size
  return
}

// -----
// is_broadcastable
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.is_broadcastable %s, %s : !shape.shape, !shape.shape
  return
}

// -----
// shape_eq
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.shape_eq %s, %s : !shape.shape, !shape.shape
  return
}

// -----
// split_at
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0, %1 = shape.split_at %s, %z : !shape.shape, !shape.size -> !shape.shape, !shape.shape
  return
}

// -----
// assuming_all
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.assuming_all %w, %w
  return
}

// -----
// unknown type
func.func @f(%s: !shape.shape, %z: !shape.size, %w: !shape.witness, %e: tensor<?xindex>, %t: tensor<?xf32>, %i: index) {
  %0 = shape.any %s : !shape.shape -> !shape.nothing
  return
}
