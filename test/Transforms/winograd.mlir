// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" --codegen-winograd --split-input-file | FileCheck %s

// The schedules of the kernels that come of it are those of other kernels: where a tile has a row for each value that is taken by
// its index, these are computed once. What is written is taken again, and makes the same code.
// RUN: rm -rf %t.taken
// RUN: skriptnd-opt %s --split-input-file "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu features=+avx2,+fma dump-schedules=%/t.taken" -o %t.mlir
// RUN: cat %t.taken/*.schedule | FileCheck %s --check-prefix=LOOPS
// LOOPS-DAG: by 36;
// LOOPS-DAG: by 6;
// LOOPS-DAG: by 4;

// Tiles of 4 by 4: the filter becomes 6 by 6 values in two steps, the image 36 for each of 7 by 7 tiles, of which it needs two more rows and columns.
// CHECK-LABEL: func.func @large
// CHECK: %[[IMAGE:.*]] = tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 2, 3, 0]
// CHECK: tensor<1x27x26x64xf32> to tensor<1x30x30x64xf32>
// CHECK: -> tensor<1x36x7x7x64xf32>
// CHECK: -> tensor<6x64x64x3xf64>
// CHECK: -> tensor<6x6x64x64xf32>
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK: -> tensor<1x6x6x7x7x64xf32>
// CHECK: -> tensor<1x6x7x4x7x64xf32>
// CHECK: tensor.collapse_shape %{{.*}} {{.*}} : tensor<1x6x7x4x7x64xf32> into tensor<1x6x28x7x64xf32>
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0, 0] [1, 6, 27, 7, 64]
// CHECK: -> tensor<1x27x26x64xf32>
#in = affine_map<(n, m, y, x, c, i, j) -> (n, y + i, x + j, c)>
#filter = affine_map<(n, m, y, x, c, i, j) -> (m, c, i, j)>
#out = affine_map<(n, m, y, x, c, i, j) -> (n, y, x, m)>
func.func @large(%x: tensor<1x27x26x64xf32> {skriptnd.input = "x"}, %w: tensor<64x64x3x3xf32> {skriptnd.variable = "w"})
    -> (tensor<1x27x26x64xf32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%0: index, %1: index, %2: index, %3: index):
    tensor.yield %zero : f32
  } : tensor<1x27x26x64xf32> to tensor<1x29x28x64xf32>
  %empty = tensor.empty() : tensor<1x27x26x64xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x27x26x64xf32>) -> tensor<1x27x26x64xf32>
  %sum = linalg.generic {indexing_maps = [#in, #filter, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<1x29x28x64xf32>, tensor<64x64x3x3xf32>) outs(%begin : tensor<1x27x26x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %product = arith.mulf %a, %b : f32
    %more = arith.addf %o, %product : f32
    linalg.yield %more : f32
  } -> tensor<1x27x26x64xf32>
  return %sum : tensor<1x27x26x64xf32>
}
