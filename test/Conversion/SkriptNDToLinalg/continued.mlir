// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg | FileCheck %s

// Padding that goes on with elements of the tensor: the inside is a slice of it, sides and corners are others, reversed
// where they are reflected. No element is fetched by itself.
// CHECK-LABEL: func.func @reflected
// CHECK-NOT: tensor.extract %
// CHECK-COUNT-9: tensor.insert_slice
// CHECK-NOT: tensor.extract %
// CHECK: return
skriptnd.graph @reflected(%x: tensor<2x3x8x9xf32> {skriptnd.name = "x"}) -> (tensor<2x3x11x13xf32> {skriptnd.name = "y"}) {
  %0 = skriptnd.layout.pad(%x, none) {axes = array<i64: 2, 3>, padding = array<i64: 1, 2, 2, 2>, method = "REFLECT"} : (tensor<2x3x8x9xf32>) -> tensor<2x3x11x13xf32>
  skriptnd.return %0 : tensor<2x3x11x13xf32>
}

// Where a window goes beyond the border, the tensor is continued before; the window is an operand as others are.
// CHECK-LABEL: func.func @upsampled
// CHECK-NOT: tensor.extract %
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-NOT: tensor.extract %
// CHECK: return
skriptnd.graph @upsampled(%x: tensor<1x2x8x9xf32> {skriptnd.name = "x"}) -> (tensor<1x2x24x27xf32> {skriptnd.name = "y"}) {
  %0 = skriptnd.image.linear_upsample(%x) {axes = array<i64: 2, 3>, factor = array<i64: 3, 3>, symmetric = true, replicate_border = true} : (tensor<1x2x8x9xf32>) -> tensor<1x2x24x27xf32>
  skriptnd.return %0 : tensor<1x2x24x27xf32>
}

// Constants around a tensor are padding, which other operations can compute into.
// CHECK-LABEL: func.func @constant
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 2] high[0, 0, 2, 2]
// CHECK-NOT: linalg.generic
// CHECK: return
skriptnd.graph @constant(%x: tensor<2x3x800x900xf32> {skriptnd.name = "x"}) -> (tensor<2x3x803x904xf32> {skriptnd.name = "y"}) {
  %0 = skriptnd.layout.pad(%x, none) {axes = array<i64: 2, 3>, padding = array<i64: 1, 2, 2, 2>, method = "CONSTANT"} : (tensor<2x3x800x900xf32>) -> tensor<2x3x803x904xf32>
  skriptnd.return %0 : tensor<2x3x803x904xf32>
}
