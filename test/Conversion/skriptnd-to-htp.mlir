// RUN: skriptnd-opt %s --convert-skriptnd-to-htp --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s --convert-skriptnd-to-htp --convert-htp-to-skriptnd --split-input-file | FileCheck %s --check-prefix=BACK

// Without padding the output has the size of the input over the stride; the filter's format becomes that of the processor.
// CHECK-LABEL: func.func @conv
// CHECK-SAME: (%[[X:.+]]: tensor<1x3x8x8xf32>, %[[F:.+]]: tensor<4x3x3x3xf32>)
// CHECK: %[[TO_LAST:.+]] = htp.$Const() {elements = array<i64: 0, 2, 3, 1>} : () -> tensor<4xi32>
// CHECK: %[[INPUT:.+]] = htp.q.Transpose(%[[X]], %[[TO_LAST]]) : {{.*}} -> tensor<1x8x8x3xf32>
// CHECK: %[[TO_FILTER:.+]] = htp.$Const() {elements = array<i64: 2, 3, 1, 0>}
// CHECK: %[[FILTER:.+]] = htp.q.Transpose(%[[F]], %[[TO_FILTER]]) : {{.*}} -> tensor<3x3x3x4xf32>
// CHECK: %[[STRIDE:.+]] = htp.$Shape() : () -> tensor<1x2x2x1xi32>
// CHECK: %[[PADS:.+]] = htp.$Const() {elements = array<i64: 0, 1, 0, 1>} : () -> tensor<2x2xi32>
// CHECK: %[[DILATION:.+]] = htp.$Shape() : () -> tensor<1x1x1x1xi32>
// CHECK: %[[GROUPS:.+]] = htp.$Const() {elements = array<i64: 1>}
// CHECK: htp.q.Conv2d(%[[INPUT]], %[[FILTER]], %{{.+}}, %[[STRIDE]], %[[PADS]], %[[DILATION]], %[[GROUPS]]) : {{.*}} -> tensor<1x4x4x4xf32>
// CHECK: htp.q.Transpose({{.*}} -> tensor<1x4x4x4xf32>
// BACK-LABEL: func.func @conv
// BACK: skriptnd.nn.conv(%{{.+}}, %{{.+}}, none)
// BACK-SAME: data_format = "NXC"
// BACK-SAME: filter_format = "XCN"
// BACK-SAME: padding = array<i64: 0, 0, 1, 1>
// BACK-SAME: stride = array<i64: 2, 2>
func.func @conv(%x: tensor<1x3x8x8xf32>, %f: tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %0 = skriptnd.nn.conv(%x, %f, none) {ceil_mode = false, data_format = "NCX", dilation = array<i64: 1, 1>, filter_format = "NCX", groups = 1 : i64, padding_align = "UPPER", stride = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// Transposes that meet cancel: between the two ops there is none.
// CHECK-LABEL: func.func @pooled
// CHECK: htp.q.Transpose
// CHECK: %[[RELU:.+]] = htp.q.Relu(%{{.+}}) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
// CHECK-NOT: Transpose
// CHECK: htp.q.PoolMax2d(%[[RELU]]
// CHECK: htp.q.Transpose
// CHECK-NOT: Transpose
// BACK-LABEL: func.func @pooled
// BACK: skriptnd.nn.relu
// BACK: skriptnd.nn.max_pool(%{{.+}}) {axes = array<i64: 1, 2>
func.func @pooled(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32> {
  %0 = skriptnd.nn.relu(%x) : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %1 = skriptnd.nn.max_pool(%0) {axes = array<i64: 2, 3>, ceil_mode = false, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, padding_align = "UPPER", size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32>
  return %1 : tensor<1x3x2x2xf32>
}

// -----

// What the processor has not stays: a slope below zero, a limit, rounding up, dilated windows.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: htp.
func.func @stays(%x: tensor<1x3x5x5xf32>) -> (tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>, tensor<1x3x3x3xf32>) {
  %0 = skriptnd.nn.relu(%x) {alpha = 1.000000e-01 : f64} : (tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %1 = skriptnd.nn.relu(%x) {max = 6.000000e+00 : f64} : (tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %2 = skriptnd.nn.max_pool(%x) {axes = array<i64: 2, 3>, ceil_mode = true, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, padding_align = "UPPER", size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x3x5x5xf32>) -> tensor<1x3x3x3xf32>
  return %0, %1, %2 : tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>, tensor<1x3x3x3xf32>
}
