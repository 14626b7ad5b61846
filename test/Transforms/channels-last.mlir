// RUN: skriptnd-opt %s --codegen-channels-last --split-input-file | FileCheck %s

// The result of a convolution, and what is elementwise behind it, has its channels last; the border converts.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[CONVOLUTION:.*]] = linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x6x6x16xf32>)
// CHECK: %[[RELU:.*]] = linalg.generic
// CHECK-SAME: ins(%[[CONVOLUTION]] : tensor<1x6x6x16xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x6x6x16xf32>)
// CHECK: %[[BACK:.*]] = linalg.generic
// CHECK-SAME: ins(%[[RELU]] : tensor<1x6x6x16xf32>) outs(%{{.*}} : tensor<1x16x6x6xf32>)
// CHECK: return %[[BACK]]
#map = affine_map<(n, m, y, x) -> (n, m, y, x)>
func.func @convolution(%input: tensor<1x4x8x8xf32> {skriptnd.input = "x"}, %filter: tensor<16x4x3x3xf32> {skriptnd.variable = "w"})
    -> tensor<1x16x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x6x6xf32>
  %filled = linalg.generic {indexing_maps = [affine_map<(n, m, y, x) -> ()>, #map],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%zero : f32) outs(%empty : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x16x6x6xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c, j, i) -> (n, c, y + j, x + i)>,
      affine_map<(n, m, y, x, c, j, i) -> (m, c, j, i)>, affine_map<(n, m, y, x, c, j, i) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>) outs(%filled : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x6x6xf32>
  %relu = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x16x6x6xf32>) outs(%empty : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x6x6xf32>
  return %relu : tensor<1x16x6x6xf32>
}

// -----

// A product with a vector reads its matrix once, as it lies: nothing changes.
// CHECK-LABEL: func.func @vector
// CHECK-NOT: tensor.empty
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @vector(%input: tensor<1x64xf32> {skriptnd.input = "x"}, %filter: tensor<10x64xf32> {skriptnd.variable = "w"},
    %bias: tensor<1x10xf32>) -> tensor<1x10xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<1x64xf32>, tensor<10x64xf32>) outs(%bias : tensor<1x10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x10xf32>
  return %sum : tensor<1x10xf32>
}
