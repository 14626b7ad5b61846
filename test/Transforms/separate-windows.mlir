// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2" --codegen-separate-windows --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s "--codegen-set-target=triple=hexagon-unknown-linux-musl cpu=hexagonv68 features=+hvxv68,+hvx-length128b" --codegen-separate-windows --split-input-file | FileCheck %s --check-prefix=WHOLE

// The greatest of 5 beside each other, of all 12 lines, and of 5 such lines. Kernels of vectors that stay whole share these themselves.
// CHECK: #[[$ALONG:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3 + d4)>
// CHECK: #[[$ACROSS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 + d4, d3)>
// CHECK-LABEL: func.func @large
// CHECK: %[[LINES:.*]] = linalg.generic {indexing_maps = [#[[$ALONG]], {{.*}}"reduction"]} ins(%arg0, %{{.*}} : tensor<1x8x12x20xf32>, tensor<5xf32>) outs(%{{.*}} : tensor<1x8x12x16xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[$ACROSS]], {{.*}}"reduction"]} ins(%[[LINES]], %{{.*}} : tensor<1x8x12x16xf32>, tensor<5xf32>) outs(%{{.*}} : tensor<1x8x8x16xf32>)
// WHOLE-LABEL: func.func @large
// WHOLE: linalg.generic {{.*}}"reduction", "reduction"]}
#in = affine_map<(n, c, y, x, j, i) -> (n, c, y + j, x + i)>
#window = affine_map<(n, c, y, x, j, i) -> (j, i)>
#out = affine_map<(n, c, y, x, j, i) -> (n, c, y, x)>
func.func @large(%x: tensor<1x8x12x20xf32>) -> tensor<1x8x8x16xf32> {
  %low = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %window = tensor.empty() : tensor<5x5xf32>
  %begin = linalg.generic {indexing_maps = [affine_map<(n, c, y, x) -> ()>, affine_map<(n, c, y, x) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%low : f32) outs(%empty : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x8x8x16xf32>
  %y = linalg.generic {indexing_maps = [#in, #window, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<1x8x12x20xf32>, tensor<5x5xf32>) outs(%begin : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x8x16xf32>
  return %y : tensor<1x8x8x16xf32>
}

// -----

// Windows that share little stay whole, and so do sums, which are rounded.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: linalg.generic {{.*}}"reduction", "reduction"]}
#apart = affine_map<(n, c, y, x, j, i) -> (n, c, y * 2 + j, x * 2 + i)>
#in = affine_map<(n, c, y, x, j, i) -> (n, c, y + j, x + i)>
#window = affine_map<(n, c, y, x, j, i) -> (j, i)>
#out = affine_map<(n, c, y, x, j, i) -> (n, c, y, x)>
func.func @others(%x: tensor<1x8x11x19xf32>) -> (tensor<1x8x5x9xf32>, tensor<1x8x7x15xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x8x5x9xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %begin = linalg.generic {indexing_maps = [affine_map<(n, c, y, x) -> ()>, affine_map<(n, c, y, x) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%low : f32) outs(%empty : tensor<1x8x5x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x8x5x9xf32>
  %y = linalg.generic {indexing_maps = [#apart, #window, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<1x8x11x19xf32>, tensor<3x3xf32>) outs(%begin : tensor<1x8x5x9xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x5x9xf32>
  %large = tensor.empty() : tensor<5x5xf32>
  %wide = tensor.empty() : tensor<1x8x7x15xf32>
  %zero = linalg.generic {indexing_maps = [affine_map<(n, c, y, x) -> ()>, affine_map<(n, c, y, x) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%low : f32) outs(%wide : tensor<1x8x7x15xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x8x7x15xf32>
  %z = linalg.generic {indexing_maps = [#in, #window, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %large : tensor<1x8x11x19xf32>, tensor<5x5xf32>) outs(%zero : tensor<1x8x7x15xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x7x15xf32>
  return %y, %z : tensor<1x8x5x9xf32>, tensor<1x8x7x15xf32>
}
