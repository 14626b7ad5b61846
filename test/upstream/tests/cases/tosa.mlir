// add
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.add %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// sub
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.sub %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// maximum
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.maximum %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// minimum
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.minimum %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// pow
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.pow %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// abs
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.abs %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// ceil
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.ceil %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// floor
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.floor %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// exp
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.exp %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// log
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.log %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// negate
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.negate %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// reciprocal
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.reciprocal %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// rsqrt
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.rsqrt %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// sin
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.sin %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// cos
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.cos %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// tanh
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.tanh %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// sigmoid
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.sigmoid %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// erf
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.erf %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// identity
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.identity %t : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// bitwise_and
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.bitwise_and %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// bitwise_or
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.bitwise_or %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// bitwise_xor
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.bitwise_xor %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// intdiv
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.intdiv %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// logical_left_shift
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.logical_left_shift %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// logical_right_shift
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.logical_right_shift %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// logical_and
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.logical_and %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----
// logical_or
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.logical_or %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----
// logical_xor
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.logical_xor %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----
// equal
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.equal %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----
// greater
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.greater %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----
// greater_equal
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.greater_equal %t, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----
// bitwise_and of reals
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.bitwise_and %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// logical_not
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.logical_not %b : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----
// select
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.select %b, %t, %u : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// cast
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.cast %t : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----
// clamp
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.clamp %t {max_val = 1.0 : f32, min_val = 0.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// reduce_sum
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.reduce_sum %t {axis = 0 : i32} : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----
// reduce_sum without axis
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.reduce_sum %t : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----
// concat
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.concat %t, %u {axis = 0 : i32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----
// argmax
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.argmax %t {axis = 0 : i32} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----
// reverse
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.reverse %t {axis = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
// const
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = "tosa.const"() <{values = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  return
}

// -----
// const_shape
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  return
}

// -----
// mul
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.mul %t, %u, %s : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
  return
}

// -----
// arithmetic_right_shift
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.arithmetic_right_shift %i, %i {round = true} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----
// add of different shapes
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %m: tensor<1x2x2xf32>, %s: tensor<1xi8>) {
  %0 = tosa.add %t, %m : (tensor<4xf32>, tensor<1x2x2xf32>) -> tensor<4xf32>
  return
}
