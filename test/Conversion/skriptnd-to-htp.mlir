// RUN: skriptnd-opt %s --convert-skriptnd-to-htp --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s --pass-pipeline='builtin.module(convert-skriptnd-to-htp{report=true})' --split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=REPORT
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

// A slope below zero and a limit are ops of their own; rounding up is padding behind.
// CHECK-LABEL: func.func @activations
// CHECK: htp.q.LeakyRelu(
// CHECK-DAG: %[[MIN:.+]] = htp.$Const() {elements = array<f64: 0.000000e+00>} : () -> tensor<1x1x1x1xf32>
// CHECK-DAG: %[[MAX:.+]] = htp.$Const() {elements = array<f64: 6.000000e+00>} : () -> tensor<1x1x1x1xf32>
// CHECK: htp.q.ReluMinMax(%{{.+}}, %[[MIN]], %[[MAX]])
// CHECK: %[[PADS:.+]] = htp.$Const() {elements = array<i64: 0, 1, 0, 1>} : () -> tensor<2x2xi32>
// CHECK: htp.q.PoolMax2d(%{{.+}}, %{{.+}}, %[[PADS]], %{{.+}})
// BACK-LABEL: func.func @activations
// BACK: skriptnd.nn.relu(%{{.+}}) {alpha = 1.000000e-01 : f64}
// BACK: skriptnd.math.clamp(
// BACK: skriptnd.nn.max_pool(
func.func @activations(%x: tensor<1x3x5x5xf32>) -> (tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>, tensor<1x3x3x3xf32>) {
  %0 = skriptnd.nn.relu(%x) {alpha = 1.000000e-01 : f64} : (tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %1 = skriptnd.nn.relu(%x) {max = 6.000000e+00 : f64} : (tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %2 = skriptnd.nn.max_pool(%x) {axes = array<i64: 2, 3>, ceil_mode = true, dilation = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, padding_align = "UPPER", size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x3x5x5xf32>) -> tensor<1x3x3x3xf32>
  return %0, %1, %2 : tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>, tensor<1x3x3x3xf32>
}

// -----

// What the processor has not stays, and the report says why.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: htp.
// REPORT-DAG: remark: math.eq stays: the tensor processor has no such op
// REPORT-DAG: remark: nn.max_pool stays: it does not go over height and width of images, or along lines
// REPORT-DAG: remark: nn.relu stays: it has a slope below zero beside its limit
// REPORT-DAG: remark: quant.zero_point_linear_quantize stays: its zero point does not fit in 32 bits
// REPORT-DAG: remark: quant.zero_point_linear_quantize stays: no type has such values of 5 bits
func.func @stays(%x: tensor<1x2x5x5xf32>, %y: tensor<4xf32>) -> (tensor<1x2x5x5xf32>, tensor<1x1x4x4xf32>, tensor<4xi1>, tensor<1x2x5x5xf32>, tensor<4xf32>) {
  %0 = skriptnd.nn.relu(%x) {alpha = 1.000000e-01 : f64, max = 6.000000e+00 : f64} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %1 = skriptnd.nn.max_pool(%x) {axes = array<i64: 1, 2, 3>, ceil_mode = false, dilation = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0>, padding_align = "UPPER", size = array<i64: 2, 2, 2>, stride = array<i64: 1, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x1x4x4xf32>
  %2 = skriptnd.math.eq(%y, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = skriptnd.quant.zero_point_linear_quantize(%x) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 1.000000e-01, 2.000000e-01>, signed = true, symmetric = false, zero_point = array<i64: 0, 8589934592>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %4 = skriptnd.quant.zero_point_linear_quantize(%y) {bits = 5 : i64, channel_axis = 1 : i64, scale = array<f64: 1.000000e-01>, signed = true, symmetric = false, zero_point = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<1x2x5x5xf32>, tensor<1x1x4x4xf32>, tensor<4xi1>, tensor<1x2x5x5xf32>, tensor<4xf32>
}

// -----

// Quantization becomes the type of what is computed, also through moves; a quantized value with another step is requantized.
// CHECK-LABEL: func.func @quantized
// CHECK: %[[INPUT:.+]] = htp.q.Quantize(%{{.+}}) : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!quant.uniform<u8:f32, 5.000000e-01:128>>
// CHECK: htp.q.Relu(%{{.+}}) : (tensor<1x4x4x2x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> tensor<1x4x4x2x!quant.uniform<u8:f32, 2.500000e-01>>
// CHECK-NOT: Dequantize
// CHECK: htp.q.Reshape(%{{.+}}) : (tensor<1x2x4x4x!quant.uniform<u8:f32, 2.500000e-01>>, tensor<1x32xi32>) -> tensor<1x32x!quant.uniform<u8:f32, 2.500000e-01>>
// CHECK: htp.q.Requantize(%{{.+}}) : {{.*}} -> tensor<1x32x!quant.uniform<i8:f32, 1.000000e+00>>
// CHECK: htp.q.Dequantize(
// BACK-LABEL: func.func @quantized
// BACK: skriptnd.quant.zero_point_linear_quantize(
// BACK: skriptnd.nn.relu(
// BACK-NEXT: skriptnd.quant.zero_point_linear_quantize(
// BACK-NEXT: skriptnd.layout.transpose(
// BACK-NEXT: skriptnd.layout.reshape(
// BACK-NEXT: skriptnd.quant.zero_point_linear_quantize(%{{.+}}) {bits = 8 : i64, channel_axis = 1 : i64, {{.*}}signed = true
func.func @quantized(%x: tensor<1x2x4x4xf32>) -> tensor<1x32xf32> {
  %0 = skriptnd.quant.zero_point_linear_quantize(%x) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 0.5, 0.5>, signed = false, symmetric = false, zero_point = array<i64: 128, 128>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = skriptnd.nn.relu(%0) : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = skriptnd.quant.zero_point_linear_quantize(%1) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 0.25, 0.25>, signed = false, symmetric = false, zero_point = array<i64: 0, 0>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = skriptnd.layout.flatten(%2) {axis = 1 : i64, rank = 3 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x32xf32>
  %4 = skriptnd.quant.zero_point_linear_quantize(%3) {bits = 8 : i64, channel_axis = -1 : i64, scale = array<f64: 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0>, signed = true, symmetric = false, zero_point = array<i64: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1x32xf32>) -> tensor<1x32xf32>
  return %4 : tensor<1x32xf32>
}

// -----

// Each channel has a step, and values are of 4 bits: they are as many as the filter's dimension has, wherever that goes. A symmetric range is the type's.
// CHECK-LABEL: func.func @channels
// CHECK: %[[F:.+]] = htp.q.Quantize(%arg1) : {{.*}} -> tensor<2x2x1x1x!quant.uniform<i4<-7:7>:f32:0, {5.000000e-01,2.500000e-01}>>
// CHECK: %[[FILTER:.+]] = htp.q.Transpose(%[[F]], %{{.+}}) : {{.*}} -> tensor<1x1x2x2x!quant.uniform<i4<-7:7>:f32:3, {5.000000e-01,2.500000e-01}>>
// CHECK: htp.q.Conv2d(%{{.+}}, %[[FILTER]], {{.*}} -> tensor<1x4x4x2x!quant.uniform<i8<-127:127>:f32, 1.000000e+00>>
// BACK-LABEL: func.func @channels
// BACK: skriptnd.quant.zero_point_linear_quantize(%arg1) {bits = 4 : i64, channel_axis = 0 : i64, scale = array<f64: 5.000000e-01, 2.500000e-01>, signed = true, symmetric = true, zero_point = array<i64: 0, 0>}
// BACK-NOT: channel_axis = 3
// BACK: skriptnd.nn.conv(
// BACK-NEXT: skriptnd.quant.zero_point_linear_quantize(%{{.+}}) {bits = 8 : i64, {{.*}}symmetric = true
func.func @channels(%x: tensor<1x2x4x4xf32>, %f: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = skriptnd.quant.zero_point_linear_quantize(%x) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 0.5, 0.5>, signed = false, symmetric = false, zero_point = array<i64: 128, 128>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = skriptnd.quant.zero_point_linear_quantize(%f) {bits = 4 : i64, channel_axis = 0 : i64, scale = array<f64: 0.5, 0.25>, signed = true, symmetric = true, zero_point = array<i64: 0, 0>} : (tensor<2x2x1x1xf32>) -> tensor<2x2x1x1xf32>
  %2 = skriptnd.nn.conv(%0, %1, none) {ceil_mode = false, data_format = "NCX", dilation = array<i64: 1, 1>, filter_format = "NCX", groups = 1 : i64, padding_align = "UPPER", stride = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = skriptnd.quant.zero_point_linear_quantize(%2) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 1.0, 1.0>, signed = true, symmetric = true, zero_point = array<i64: 0, 0>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %3 : tensor<1x2x4x4xf32>
}

// -----

// Where the dimension of the channels goes into another, elements are moved as the reals that they stand for.
// CHECK-LABEL: func.func @merged
// CHECK: htp.q.Dequantize(%{{.+}}) : (tensor<2x2x!quant.uniform<i8:f32:1, {5.000000e-01:1,2.500000e-01}>>) -> tensor<2x2xf32>
// CHECK: htp.q.Reshape(%{{.+}}) : (tensor<2x2xf32>
// BACK-LABEL: func.func @merged
// BACK: channel_axis = 1 : i64, scale = array<f64: 5.000000e-01, 2.500000e-01>, signed = true, symmetric = false, zero_point = array<i64: 1, 0>
func.func @merged(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %0 = skriptnd.quant.zero_point_linear_quantize(%x) {bits = 8 : i64, channel_axis = -1 : i64, scale = array<f64: 0.5, 0.25>, signed = true, symmetric = false, zero_point = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = skriptnd.layout.reshape(%0) {axis = 0 : i64, rank = 2 : i64, shape = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Weights whose steps are variables, as `quantize` writes them, are parameters as reals are: what takes them is an op on quantized numbers all the same.
// CHECK-LABEL: skriptnd.graph @Weights
// CHECK: %[[W:.+]] = skriptnd.onnx.dequantize(
// CHECK: %[[FILTER:.+]] = htp.q.Transpose(%[[W]],
// CHECK: htp.q.Conv2d(%{{.+}}, %[[FILTER]], {{.*}}!quant.uniform<u8:f32, 5.000000e-01:128>>{{.*}} -> tensor<1x4x4x2x!quant.uniform<i8:f32, 1.000000e+00>>
skriptnd.graph @Weights(%x: tensor<1x2x4x4xf32> {skriptnd.name = "x"}) -> (tensor<1x2x4x4xf32> {skriptnd.name = "y"}) {
  %w = skriptnd.variable "w" : tensor<2x2x1x1xi64>
  %s = skriptnd.variable "s" : tensor<2x1x1x1xf32>
  %f = skriptnd.onnx.dequantize(%w, %s, none) : (tensor<2x2x1x1xi64>, tensor<2x1x1x1xf32>) -> tensor<2x2x1x1xf32>
  %0 = skriptnd.quant.zero_point_linear_quantize(%x) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 0.5, 0.5>, signed = false, symmetric = false, zero_point = array<i64: 128, 128>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = skriptnd.nn.conv(%0, %f, none) {ceil_mode = false, data_format = "NCX", dilation = array<i64: 1, 1>, filter_format = "NCX", groups = 1 : i64, padding_align = "UPPER", stride = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = skriptnd.quant.zero_point_linear_quantize(%2) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 1.0, 1.0>, signed = true, symmetric = false, zero_point = array<i64: 0, 0>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  skriptnd.return %3 : tensor<1x2x4x4xf32>
}

// -----

// Where steps are constants, the whole numbers are elements of a type. Back again, nothing rounds what is quantized already.
// CHECK-LABEL: skriptnd.graph @Steps
// CHECK: %[[W:.+]] = skriptnd.onnx.dequantize(
// CHECK: htp.q.Quantize(%[[W]]) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
// CHECK: %[[B:.+]] = skriptnd.onnx.dequantize(
// CHECK: htp.q.Quantize(%[[B]]) : (tensor<3xf32>) -> tensor<3x!quant.uniform<u8:f32, 5.000000e-01:3>>
// CHECK-NOT: htp.q.Quantize(
// CHECK-COUNT-3: skriptnd.onnx.dequantize(
// BACK-LABEL: skriptnd.graph @Steps
// BACK-COUNT-5: skriptnd.onnx.dequantize(
// BACK-NOT: zero_point_linear_quantize
skriptnd.graph @Steps() -> (tensor<2x3xf32> {skriptnd.name = "a"}, tensor<3xf32> {skriptnd.name = "b"}, tensor<2x2xf32> {skriptnd.name = "c"}, tensor<3xf32> {skriptnd.name = "d"}, tensor<3xf32> {skriptnd.name = "e"}) {
  %w = skriptnd.variable "w" {skriptnd.storage = "i8"} : tensor<2x3xi64>
  %v = skriptnd.variable "v" {skriptnd.storage = "u8"} : tensor<3xi64>
  %u = skriptnd.variable "u" {skriptnd.storage = "i8"} : tensor<2x2xi64>
  %t = skriptnd.variable "t" : tensor<3xi64>
  %z = skriptnd.variable "z" : tensor<i64>
  %rows = skriptnd.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %one = skriptnd.constant dense<0.5> : tensor<f32>
  %three = skriptnd.constant dense<3> : tensor<i64>
  %each = skriptnd.constant dense<[[0.5, 0.25], [0.75, 1.0]]> : tensor<2x2xf32>
  %0 = skriptnd.onnx.dequantize(%w, %rows, none) : (tensor<2x3xi64>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %1 = skriptnd.onnx.dequantize(%v, %one, %three) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<3xi64>, tensor<f32>, tensor<i64>) -> tensor<3xf32>
  // A step for each element, numbers of no type, zeros that are not known.
  %2 = skriptnd.onnx.dequantize(%u, %each, none) : (tensor<2x2xi64>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = skriptnd.onnx.dequantize(%t, %one, none) : (tensor<3xi64>, tensor<f32>) -> tensor<3xf32>
  %4 = skriptnd.onnx.dequantize(%v, %one, %z) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<3xi64>, tensor<f32>, tensor<i64>) -> tensor<3xf32>
  skriptnd.return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<3xf32>, tensor<2x2xf32>, tensor<3xf32>, tensor<3xf32>
}
