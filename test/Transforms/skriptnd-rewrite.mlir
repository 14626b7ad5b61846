// RUN: skriptnd-opt %s --skriptnd-rewrite --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s --skriptnd-rewrite='report=true' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// REPORT-DAG: remark: FoldBatchNormIntoConvNFirstB011 applied 1 times
// REPORT-DAG: remark: MergeTransposes applied 1 times

// k = scale / sqrt(variance + epsilon); filter k, (0 - mean) k + offset.
// CHECK-LABEL: skriptnd.graph @Fold
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-DAG: %[[EPSILON:.*]] = skriptnd.constant dense<1.000000e-03> : tensor<f32>
// CHECK-DAG: %[[FILTER:.*]] = skriptnd.variable "filter"
// CHECK-DAG: %[[MEAN:.*]] = skriptnd.variable "mean"
// CHECK-DAG: %[[VARIANCE:.*]] = skriptnd.variable "variance"
// CHECK-DAG: %[[OFFSET:.*]] = skriptnd.variable "offset"
// CHECK-DAG: %[[SCALE:.*]] = skriptnd.variable "scale"
// CHECK: %[[STABLE:.*]] = skriptnd.math.add(%[[VARIANCE]], %[[EPSILON]]) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %[[DEVIATION:.*]] = skriptnd.math.sqrt(%[[STABLE]])
// CHECK: %[[K:.*]] = skriptnd.math.div(%[[SCALE]], %[[DEVIATION]])
// CHECK: %[[NEGATED:.*]] = skriptnd.math.neg(%[[MEAN]])
// CHECK: %[[PRODUCT:.*]] = skriptnd.math.mul(%[[K]], %[[NEGATED]])
// CHECK: %[[SHIFT:.*]] = skriptnd.math.add(%[[PRODUCT]], %[[OFFSET]])
// CHECK: %[[SCALED:.*]] = skriptnd.math.mul(%[[FILTER]], %[[K]]) {rhs_align = 0 : i64} : (tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<4x3x3x3xf32>
// CHECK: %[[Y:.*]] = skriptnd.nn.conv(%[[X]], %[[SCALED]], %[[SHIFT]]) {data_format = "NCX", filter_format = "NCX", padding = array<i64: 1, 1, 1, 1>}
// CHECK-NOT: skriptnd.nn.batch_norm
// CHECK: skriptnd.return %[[Y]]
skriptnd.graph @Fold(%x: tensor<1x3x8x8xf32>) -> (tensor<1x4x8x8xf32>) {
  %filter = skriptnd.variable "filter" : tensor<4x3x3x3xf32>
  %mean = skriptnd.variable "mean" : tensor<4xf32>
  %variance = skriptnd.variable "variance" : tensor<4xf32>
  %offset = skriptnd.variable "offset" : tensor<4xf32>
  %scale = skriptnd.variable "scale" : tensor<4xf32>
  %0 = skriptnd.nn.conv(%x, %filter, none) {padding = array<i64: 1, 1, 1, 1>, data_format = "NCX", filter_format = "NCX"} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = skriptnd.nn.batch_norm(%0, %mean, %variance, %offset, %scale) {epsilon = 1.0e-3 : f64, channel_axis = 1 : i64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  skriptnd.return %1 : tensor<1x4x8x8xf32>
}

// -----

// Channels last, filters with n last: no alignment.
// CHECK-LABEL: skriptnd.graph @FoldLast
// CHECK: skriptnd.math.mul(%{{.*}}, %{{.*}}) : (tensor<3x3x3x4xf32>, tensor<4xf32>) -> tensor<3x3x3x4xf32>
// CHECK-NOT: batch_norm
skriptnd.graph @FoldLast(%x: tensor<1x8x8x3xf32>) -> (tensor<1x8x8x4xf32>) {
  %filter = skriptnd.variable "filter" : tensor<3x3x3x4xf32>
  %bias = skriptnd.variable "bias" : tensor<4xf32>
  %mean = skriptnd.variable "mean" : tensor<4xf32>
  %variance = skriptnd.variable "variance" : tensor<4xf32>
  %0 = skriptnd.nn.conv(%x, %filter, %bias) {data_format = "NXC", filter_format = "XCN"} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %1 = skriptnd.nn.batch_norm(%0, %mean, %variance, none, none) {epsilon = 1.0e-3 : f64, channel_axis = -1 : i64} : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  skriptnd.return %1 : tensor<1x8x8x4xf32>
}

// -----

// The convolution's own result is needed; the axis is not that of the channels; the filter is not known before the run.
// CHECK-LABEL: skriptnd.graph @Keep
// CHECK-COUNT-3: skriptnd.nn.batch_norm
skriptnd.graph @Keep(%x: tensor<1x4x4x4xf32>, %f: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %filter = skriptnd.variable "filter" : tensor<4x4x1x1xf32>
  %mean = skriptnd.variable "mean" : tensor<4xf32>
  %0 = skriptnd.nn.conv(%x, %filter, none) {data_format = "NCX", filter_format = "NCX"} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = skriptnd.nn.batch_norm(%0, %mean, %mean, none, none) {epsilon = 1.0e-3 : f64, channel_axis = 1 : i64} : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %2 = skriptnd.nn.conv(%1, %filter, none) {data_format = "NCX", filter_format = "NCX"} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %3 = skriptnd.nn.batch_norm(%2, %mean, %mean, none, none) {epsilon = 1.0e-3 : f64, channel_axis = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %4 = skriptnd.nn.conv(%x, %f, none) {data_format = "NCX", filter_format = "NCX"} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %5 = skriptnd.nn.batch_norm(%4, %mean, %mean, none, none) {epsilon = 1.0e-3 : f64, channel_axis = 1 : i64} : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  skriptnd.return %0, %1, %3, %5 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

// CHECK-LABEL: skriptnd.graph @Sequences
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-NEXT: skriptnd.return %[[X]]
skriptnd.graph @Sequences(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>) {
  %0 = skriptnd.layout.transpose(%x) {axis = 0 : i64, perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = skriptnd.layout.transpose(%0) {axis = 0 : i64, perm = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  %2 = skriptnd.layout.flatten(%1) {axis = 1 : i64, rank = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %3 = skriptnd.layout.unsqueeze(%2) {axes = array<i64: 0>} : (tensor<2x12xf32>) -> tensor<1x2x12xf32>
  %4 = skriptnd.layout.reshape(%3) {axis = 0 : i64, rank = 3 : i64, shape = array<i64: 2, 3, 4>} : (tensor<1x2x12xf32>) -> tensor<2x3x4xf32>
  %5 = skriptnd.math.iden(%4) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  skriptnd.return %5 : tensor<2x3x4xf32>
}

// -----

// A sequence that does not cancel becomes one.
// CHECK-LABEL: skriptnd.graph @Composed
// CHECK-SAME: (%[[X:[^:]*]]:
// CHECK-NEXT: %[[T:.*]] = skriptnd.layout.transpose(%[[X]]) {axis = 0 : i64, perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: %[[R:.*]] = skriptnd.layout.reshape(%[[T]]) {axis = 0 : i64, rank = 3 : i64, shape = array<i64: 24>}
// CHECK-NEXT: skriptnd.return %[[R]]
skriptnd.graph @Composed(%x: tensor<2x3x4xf32>) -> (tensor<24xf32>) {
  %0 = skriptnd.layout.transpose(%x) {axis = 0 : i64, perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = skriptnd.layout.transpose(%0) {axis = 0 : i64, perm = array<i64: 2, 1, 0>} : (tensor<3x4x2xf32>) -> tensor<2x4x3xf32>
  %2 = skriptnd.layout.flatten(%1) {axis = 1 : i64, rank = 2 : i64} : (tensor<2x4x3xf32>) -> tensor<2x12xf32>
  %3 = skriptnd.layout.flatten(%2) {axis = 0 : i64, rank = 2 : i64} : (tensor<2x12xf32>) -> tensor<24xf32>
  skriptnd.return %3 : tensor<24xf32>
}

// -----

// CHECK-LABEL: skriptnd.graph @Activations
// CHECK: %[[A:.*]] = skriptnd.nn.relu(%{{.*}}) {max = 6.000000e+00 : f64}
// CHECK: %[[B:.*]] = skriptnd.nn.relu(%{{.*}}) {alpha = 1.000000e-01 : f64}
// CHECK: %[[C:.*]] = skriptnd.nn.relu(%[[B]])
// CHECK: %[[D:.*]] = skriptnd.math.sub(%[[A]], %{{.*}}) {rhs_align = 1 : i64}
// CHECK: skriptnd.return %[[C]], %[[D]]
skriptnd.graph @Activations(%x: tensor<2x3xf32>, %b: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = skriptnd.nn.relu(%x) {max = 6.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = skriptnd.nn.relu(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // A leaky one is negative still.
  %2 = skriptnd.nn.relu(%x) {alpha = 0.1 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = skriptnd.nn.relu(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = skriptnd.math.neg(%b) : (tensor<3xf32>) -> tensor<3xf32>
  %5 = skriptnd.math.add(%1, %4) {rhs_align = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  skriptnd.return %3, %5 : tensor<2x3xf32>, tensor<2x3xf32>
}
