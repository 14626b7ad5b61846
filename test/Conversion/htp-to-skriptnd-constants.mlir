// RUN: skriptnd-opt %s --convert-htp-to-skriptnd | FileCheck %s

// A constant of halves holds halves: the nearest one to 0.1, and what is beyond the largest.
// CHECK-LABEL: func.func @halves
// CHECK: skriptnd.constant dense<[0.0999755859, 0x7F800000]> : tensor<2xf32>
func.func @halves(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = htp.$Const() {elements = array<f64: 0.1, 70000.0>} : () -> tensor<2xf16>
  %h = htp.q.Cast(%x) : (tensor<2xf32>) -> tensor<2xf16>
  %s = htp.q.ElementWiseAdd(%h, %c) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  %r = htp.q.Cast(%s) : (tensor<2xf16>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @reals
// CHECK: skriptnd.constant dense<[1.000000e-01, 7.000000e+04]> : tensor<2xf32>
func.func @reals(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = htp.$Const() {elements = array<f64: 0.1, 70000.0>} : () -> tensor<2xf32>
  %s = htp.q.ElementWiseAdd(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}
