// What the processor has no op of its own for becomes ops that together compute the same.
// RUN: skriptnd-opt %s --convert-skriptnd-to-htp --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s --convert-skriptnd-to-htp --convert-htp-to-skriptnd --split-input-file | FileCheck %s --check-prefix=BACK

// A line is an image of height 1.
// CHECK-LABEL: func.func @line
// CHECK: htp.q.Reshape(%arg0, %{{.+}}) : {{.*}} -> tensor<1x3x1x8xf32>
// CHECK: htp.q.Reshape(%arg1, %{{.+}}) : {{.*}} -> tensor<4x3x1x3xf32>
// CHECK: %[[STRIDE:.+]] = htp.$Shape() : () -> tensor<1x1x2x1xi32>
// CHECK: %[[PADS:.+]] = htp.$Const() {elements = array<i64: 0, 0, 0, 1>}
// CHECK: htp.q.Conv2d(%{{.+}}, %{{.+}}, %{{.+}}, %[[STRIDE]], %[[PADS]], {{.*}} -> tensor<1x1x4x4xf32>
// CHECK: htp.q.Reshape({{.*}} -> tensor<1x4x4xf32>
// CHECK: htp.q.PoolMax2d({{.*}} -> tensor<1x1x2x4xf32>
// BACK-LABEL: func.func @line
// BACK: skriptnd.nn.conv({{.*}} -> tensor<1x1x4x4xf32>
// BACK: skriptnd.nn.max_pool({{.*}} -> tensor<1x1x2x4xf32>
func.func @line(%x: tensor<1x3x8xf32>, %f: tensor<4x3x3xf32>) -> tensor<1x4x2xf32> {
  %0 = skriptnd.nn.conv(%x, %f, none) {ceil_mode = false, data_format = "NCX", dilation = array<i64: 1>, filter_format = "NCX", groups = 1 : i64, padding_align = "UPPER", stride = array<i64: 2>} : (tensor<1x3x8xf32>, tensor<4x3x3xf32>) -> tensor<1x4x4xf32>
  %1 = skriptnd.nn.max_pool(%0) {axes = array<i64: 2>, ceil_mode = false, dilation = array<i64: 1>, padding = array<i64: 0, 0>, padding_align = "UPPER", size = array<i64: 2>, stride = array<i64: 2>} : (tensor<1x4x4xf32>) -> tensor<1x4x2xf32>
  return %1 : tensor<1x4x2xf32>
}

// -----

// The maximum of a dilated window is that of parts, its sum a convolution with ones.
// CHECK-LABEL: func.func @dilated
// CHECK-COUNT-4: htp.q.StridedSlice(
// CHECK-NOT: htp.q.StridedSlice(
// CHECK: htp.q.DepthWiseConv2d(
// CHECK: htp.q.ElementWiseDivide(
// CHECK-NOT: skriptnd.
// BACK-LABEL: func.func @dilated
// BACK-COUNT-3: skriptnd.math.max(
// BACK: skriptnd.constant dense<1.000000e+00> : tensor<3x3x1x2xf32>
// BACK: skriptnd.nn.conv({{.*}}dilation = array<i64: 2, 2>{{.*}}groups = 0
// BACK: skriptnd.math.div(
func.func @dilated(%x: tensor<1x2x5x5xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x5x5xf32>) {
  %0 = skriptnd.nn.max_pool(%x) {axes = array<i64: 2, 3>, ceil_mode = false, dilation = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, padding_align = "UPPER", size = array<i64: 2, 2>, stride = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  %1 = skriptnd.nn.avg_pool(%x) {axes = array<i64: 2, 3>, ceil_mode = false, ignore_border = true, dilation = array<i64: 2, 2>, padding = array<i64: 2, 2, 2, 2>, padding_align = "UPPER", size = array<i64: 3, 3>, stride = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  return %0, %1 : tensor<1x2x3x3xf32>, tensor<1x2x5x5xf32>
}

// -----

// A layer normalization is recognized, and comes back as it is written.
// CHECK-LABEL: func.func @normalized
// CHECK-SAME: (%[[X:.+]]: tensor<1x5x4xf32>, %[[SCALE:.+]]: tensor<4xf32>, %[[BIAS:.+]]: tensor<4xf32>)
// CHECK-NOT: skriptnd.math
// CHECK: %[[AXES:.+]] = htp.$Const() {elements = array<i64: 2>}
// CHECK: htp.q.LayerNorm(%[[X]], %[[SCALE]], %[[BIAS]], %[[AXES]], %{{.+}})
// CHECK-NOT: skriptnd.math
// BACK-LABEL: func.func @normalized
// BACK: skriptnd.math.moments(%{{.+}}) {axes = array<i64: 2>, squeeze = false}
// BACK-NEXT: skriptnd.math.sub(
// BACK: skriptnd.math.sqrt(
// BACK-NEXT: skriptnd.math.div(
// BACK-NEXT: skriptnd.math.mul(
// BACK-NEXT: skriptnd.math.add(
func.func @normalized(%x: tensor<1x5x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1x5x4xf32> {
  %e = skriptnd.constant dense<1.0e-5> : tensor<f32>
  %m, %v = skriptnd.math.moments(%x) {axes = array<i64: -1>, squeeze = false} : (tensor<1x5x4xf32>) -> (tensor<1x5x1xf32>, tensor<1x5x1xf32>)
  %c = skriptnd.math.sub(%x, %m) : (tensor<1x5x4xf32>, tensor<1x5x1xf32>) -> tensor<1x5x4xf32>
  %s = skriptnd.math.add(%v, %e) : (tensor<1x5x1xf32>, tensor<f32>) -> tensor<1x5x1xf32>
  %d = skriptnd.math.sqrt(%s) : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %n = skriptnd.math.div(%c, %d) : (tensor<1x5x4xf32>, tensor<1x5x1xf32>) -> tensor<1x5x4xf32>
  %p = skriptnd.math.mul(%n, %g) : (tensor<1x5x4xf32>, tensor<4xf32>) -> tensor<1x5x4xf32>
  %q = skriptnd.math.add(%p, %b) : (tensor<1x5x4xf32>, tensor<4xf32>) -> tensor<1x5x4xf32>
  return %q : tensor<1x5x4xf32>
}

// -----

// Without scale and bias, the variance computed apart; what is used elsewhere stays.
// CHECK-LABEL: func.func @separate
// CHECK: htp.q.ElementWiseSubtract(
// CHECK: htp.q.LayerNorm(
// BACK-LABEL: func.func @separate
// BACK: skriptnd.math.moments(
func.func @separate(%x: tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %e = skriptnd.constant dense<1.0e-5> : tensor<f32>
  %m = skriptnd.math.mean_reduce(%x) {axes = array<i64: 1>, squeeze = false} : (tensor<5x4xf32>) -> tensor<5x1xf32>
  %c = skriptnd.math.sub(%x, %m) : (tensor<5x4xf32>, tensor<5x1xf32>) -> tensor<5x4xf32>
  %t = skriptnd.math.sqr(%c) : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %v = skriptnd.math.mean_reduce(%t) {axes = array<i64: 1>, squeeze = false} : (tensor<5x4xf32>) -> tensor<5x1xf32>
  %s = skriptnd.math.add(%v, %e) : (tensor<5x1xf32>, tensor<f32>) -> tensor<5x1xf32>
  %d = skriptnd.math.sqrt(%s) : (tensor<5x1xf32>) -> tensor<5x1xf32>
  %n = skriptnd.math.div(%c, %d) : (tensor<5x4xf32>, tensor<5x1xf32>) -> tensor<5x4xf32>
  return %n, %c : tensor<5x4xf32>, tensor<5x4xf32>
}

// -----

// Along the first dimension, or with a scale of another shape, it is none.
// CHECK-LABEL: func.func @other
// CHECK-NOT: LayerNorm
// BACK-LABEL: func.func @other
func.func @other(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %e = skriptnd.constant dense<1.0e-5> : tensor<f32>
  %m, %v = skriptnd.math.moments(%x) {axes = array<i64: 0>, squeeze = false} : (tensor<5x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>)
  %c = skriptnd.math.sub(%x, %m) : (tensor<5x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
  %s = skriptnd.math.add(%v, %e) : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %d = skriptnd.math.sqrt(%s) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %n = skriptnd.math.div(%c, %d) : (tensor<5x4xf32>, tensor<1x4xf32>) -> tensor<5x4xf32>
  return %n : tensor<5x4xf32>
}

// -----

// A range whose smallest value is the negative of the largest is the type's.
// CHECK-LABEL: func.func @symmetric
// CHECK: htp.q.Quantize(%arg0) : {{.*}} -> tensor<1x4x!quant.uniform<i8<-127:127>:f32, 5.000000e-01>>
// BACK-LABEL: func.func @symmetric
// BACK: skriptnd.quant.zero_point_linear_quantize(%arg0) {{{.*}}symmetric = true
func.func @symmetric(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = skriptnd.quant.zero_point_linear_quantize(%x) {bits = 8 : i64, channel_axis = 1 : i64, scale = array<f64: 0.5, 0.5, 0.5, 0.5>, signed = true, symmetric = true, zero_point = array<i64: 0, 0, 0, 0>} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

// CHECK-LABEL: func.func @moves
// CHECK: htp.q.DepthToSpace({{.*}} -> tensor<1x4x4x1xf32>
// CHECK: htp.q.SpaceToDepth({{.*}} -> tensor<1x2x2x4xf32>
// CHECK-COUNT-3: htp.q.Slice_shape(
// CHECK: htp.q.Concat(
// CHECK: htp.q.Argmax({{.*}} -> tensor<2xi64>
// CHECK: htp.q.Cast({{.*}} -> tensor<2x3xi64>
// CHECK: %[[MULTIPLES:.+]] = htp.$Const() {elements = array<i64: 1, 2>}
// CHECK: htp.q.Tile(%{{.+}}, %[[MULTIPLES]])
// CHECK-NOT: skriptnd.
// BACK-LABEL: func.func @moves
// BACK: skriptnd.layout.depth_to_space(%{{.+}}) {block_size = array<i64: 2, 2>, blocks_first = true, data_format = "NXC"}
// BACK: skriptnd.layout.space_to_depth(%{{.+}}) {block_size = array<i64: 2, 2>, blocks_first = false, data_format = "NXC"}
// BACK: skriptnd.math.argmax(%{{.+}}) {axis = 1 : i64, squeeze = true}
// BACK: skriptnd.layout.cast(
// BACK: skriptnd.layout.tile(%{{.+}}) {axes = array<i64: 0, 1>, repeats = array<i64: 1, 2>}
func.func @moves(%x: tensor<1x4x2x2xf32>, %y: tensor<2x3xf32>) -> (tensor<1x4x2x2xf32>, tensor<3x2xf32>, tensor<2xi64>, tensor<2x3xi64>, tensor<2x6xf32>) {
  %0 = skriptnd.layout.depth_to_space(%x) {block_size = array<i64: 2, 2>, blocks_first = true, data_format = "NCX"} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  %1 = skriptnd.layout.space_to_depth(%0) {block_size = array<i64: 2, 2>, blocks_first = false, data_format = "NCX"} : (tensor<1x1x4x4xf32>) -> tensor<1x4x2x2xf32>
  %2:3 = skriptnd.layout.unstack(%y) {axis = 1 : i64, squeeze = true} : (tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %3 = skriptnd.layout.stack([%2#0, %2#1, %2#2]) {axis = -1 : i64, squeeze = false} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %4 = skriptnd.math.argmax(%y) {axis = 1 : i64, squeeze = true} : (tensor<2x3xf32>) -> tensor<2xi64>
  %5 = skriptnd.layout.cast(%y) {R = i64} : (tensor<2x3xf32>) -> tensor<2x3xi64>
  %6 = skriptnd.layout.tile(%y) {axes = array<i64: 1>, repeats = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return %1, %3, %4, %5, %6 : tensor<1x4x2x2xf32>, tensor<3x2xf32>, tensor<2xi64>, tensor<2x3xi64>, tensor<2x6xf32>
}

// -----

// Several elementwise ops, one behind the other; limits that are tensors, sums of packs, and a pack of one.
// CHECK-LABEL: func.func @combined
// CHECK: %[[ONE:.+]] = htp.$Const() {elements = array<f64: 1.000000e+00>} : () -> tensor<1x1xf32>
// CHECK: htp.q.ElementWiseDivide(%[[ONE]], %arg0)
// CHECK: %[[PRODUCT:.+]] = htp.q.ElementWiseMultiply(%arg1, %arg0)
// CHECK: htp.q.ElementWiseAdd(%[[PRODUCT]], %arg2)
// CHECK: %[[RAISED:.+]] = htp.q.ElementWiseMaximum(%arg0, %arg1)
// CHECK: htp.q.ElementWiseMinimum(%[[RAISED]], %arg2)
// CHECK: %[[SUM:.+]] = htp.q.ElementWiseAdd(%arg0, %arg0)
// CHECK: %[[ZERO:.+]] = htp.$Const() {elements = array<f64: 0.000000e+00>} : () -> tensor<1x1xf32>
// CHECK: htp.q.ElementWiseAdd(%[[SUM]], %[[ZERO]])
// CHECK-NOT: skriptnd.
// BACK-LABEL: func.func @combined
// BACK: skriptnd.math.div(
// BACK: skriptnd.math.mul(
// BACK: skriptnd.math.add(
// BACK: skriptnd.math.max(
// BACK: skriptnd.math.min(
// BACK-COUNT-2: skriptnd.math.add(
func.func @combined(%x: tensor<2x3xf32>, %a: tensor<1x3xf32>, %b: tensor<1x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = skriptnd.math.rcp(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = skriptnd.math.axpb(%a, %x, %b) : (tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %2 = skriptnd.math.clamp(%x, %a, %b) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %3 = skriptnd.math.sum_n([%x, %x]) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = skriptnd.math.max_n([%x]) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Aligned operands of images move with their channels.
// CHECK-LABEL: func.func @aligned
// CHECK: %[[A:.+]] = htp.q.Reshape(%arg1, %{{.+}}) : {{.*}} -> tensor<1x2x1x1xf32>
// CHECK: htp.q.ElementWiseMultiply(%{{.+}}, %{{.+}}) : (tensor<1x1x1x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
// CHECK: htp.q.ResizeNearestNeighbor({{.*}} -> tensor<1x8x12x2xf32>
// BACK-LABEL: func.func @aligned
// BACK: skriptnd.image.nearest_resize({{.*}}coordinate_transform = "ASYMMETRIC", rounding_method = "FLOOR", size = array<i64: 8, 12>
func.func @aligned(%x: tensor<1x2x4x4xf32>, %a: tensor<2xf32>) -> tensor<1x2x8x12xf32> {
  %0 = skriptnd.math.axpb(%a, %x, %x) {a_align = 1 : i64} : (tensor<2xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = skriptnd.image.nearest_upsample(%0) {axes = array<i64: 2, 3>, factor = array<i64: 2, 3>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x12xf32>
  return %1 : tensor<1x2x8x12xf32>
}

// -----

// The op searches along the last dimension.
// CHECK-LABEL: func.func @greatest
// CHECK: htp.q.TopK(%{{.+}}, %{{.+}}, %{{.+}}) : {{.*}} -> (tensor<2x3xf32>, tensor<2x3xi64>)
// CHECK-COUNT-2: htp.q.Transpose(
// CHECK-NOT: skriptnd.
// BACK-LABEL: func.func @greatest
// BACK: skriptnd.algo.top_k(%{{.+}}) {axis = 1 : i64, k = 3 : i64, largest = false, sorted = true}
func.func @greatest(%x: tensor<5x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>) {
  %0:2 = skriptnd.algo.top_k(%x) {axis = 0 : i64, k = 3 : i64, largest = false, sorted = true} : (tensor<5x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<3x2xi64>
}

// -----

// Of a pack of open length only a run knows which items there are.
// CHECK-LABEL: skriptnd.graph @open
// CHECK-NOT: htp.
// CHECK: skriptnd.math.sum_n([
// CHECK-NOT: htp.
skriptnd.graph @open(%p: tensor<?x4xf32, ["p_n", 4]> {skriptnd.name = "p", skriptnd.pack}) -> (tensor<4xf32> {skriptnd.name = "t"}) extents {p_n <= 2} {
  %0:2 = skriptnd.items %p : (tensor<?x4xf32, ["p_n", 4]>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = skriptnd.math.sum_n([%0#0, %0#1]) {skriptnd.lengths = ["p_n"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %1 : tensor<4xf32>
}

// -----

// The least number of elements that can be asked for is 1, and here are none.
// CHECK-LABEL: func.func @none
// CHECK: skriptnd.algo.top_k(
// BACK-LABEL: func.func @none
// BACK: skriptnd.algo.top_k({{.*}}k = 2
func.func @none(%x: tensor<0x3xf32>) -> (tensor<0x3xf32>, tensor<0x3xi64>) {
  %0:2 = skriptnd.algo.top_k(%x) {k = 2} : (tensor<0x3xf32>) -> (tensor<0x3xf32>, tensor<0x3xi64>)
  return %0#0, %0#1 : tensor<0x3xf32>, tensor<0x3xi64>
}
