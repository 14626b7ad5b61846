// RUN: skriptnd-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'htp.$Const' op expected 3 elements, found 2}}
%0 = htp.$Const() {elements = array<i64: 1, 2>} : () -> tensor<3xi32>

// -----

// expected-error @below {{'htp.$Const' op requires attribute 'elements'}}
%0 = htp.$Const() : () -> tensor<3xi32>

// -----

// expected-error @below {{'htp.$Shape' op expected a result of static shape}}
%0 = htp.$Shape() : () -> tensor<?xi32>

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'htp.q.Relu' op}}
  %0 = "htp.q.Relu"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'htp.q.Reshape' op operand #1 must be parameter of 32-bit signless integer values}}
  %0 = htp.q.Reshape(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @below {{'htp.q.Relu' op failed to verify that tensors have a quantization for each of their channels, where some have}}
  %0 = htp.q.Relu(%x) : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error @below {{'htp.q.Quantize' op failed to verify that tensors have a quantization for each of their channels, where some have}}
  %0 = htp.q.Quantize(%x) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error @below {{'htp.q.ForceFormat_Flat' op}}
  %0 = htp.q.ForceFormat_Flat(%x) : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error @below {{how tensors lie}}
  %0 = htp.q.Relu(%x) {htp.variants = [#htp.variant<"f", "FREE", [#htp.variant<"f", "FREE", [<any in any>]>]>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
