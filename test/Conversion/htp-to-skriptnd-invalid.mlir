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
