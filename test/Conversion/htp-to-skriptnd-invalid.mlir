// RUN: skriptnd-opt %s --convert-htp-to-skriptnd --split-input-file --verify-diagnostics

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'htp.q.Mystery' op has no known meaning with 1 operands}}
  %0 = htp.q.Mystery(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @package(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'htp.mine.Relu' op belongs to a package whose ops have no known meaning}}
  %0 = htp.mine.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @parameter(%x: tensor<2x4xf32>, %beta: tensor<1xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{'htp.q.Softmax' op expected the constant 1.0 as beta}}
  %0 = htp.q.Softmax(%x, %beta) : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @shape() -> tensor<2x4xi32> {
  // expected-error @below {{'htp.$Shape' op is used where it is no parameter of an op}}
  %0 = htp.$Shape() : () -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

func.func @foreign(%x: tensor<4x!quant.uniform<u8:f32, 0.5>>) -> tensor<4xf32> {
  // expected-error @below {{'htp.q.Dequantize' op takes or gives a tensor of a type that only ops of this dialect have}}
  %0 = htp.q.Dequantize(%x) : (tensor<4x!quant.uniform<u8:f32, 0.5>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @flag(%x: tensor<4x4xf32>, %y: tensor<1xi32>) -> tensor<4x4xf32> {
  %axes = htp.$Const() {elements = array<i64: 1>} : () -> tensor<1xi32>
  // expected-error @below {{'htp.q.ReduceMax' op expected constant integers as the parameter 'squeeze'}}
  %0 = htp.q.ReduceMax(%x, %axes, %y) : (tensor<4x4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
