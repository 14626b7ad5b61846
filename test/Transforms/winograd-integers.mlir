// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" --codegen-winograd --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu cpu=x86-64-v4 features=+avx512vnni" --codegen-winograd --split-input-file | FileCheck %s --check-prefix=BYTES

// Where four products of bytes are added at once, two of words at a time take as long.
// BYTES-NOT: tensor<1x16x14x14x64xi16>

// Integers: only tiles of 2 by 2, filters twice as large along rows and columns, and their quarter in the end; nothing is rounded.
// CHECK-LABEL: func.func @words
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: arith.subi %{{.*}} : i16
// CHECK: -> tensor<1x16x14x14x64xi16>
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: -> tensor<4x64x64x3xi32>
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: -> tensor<4x4x64x64xi16>
// CHECK: arith.extsi %{{.*}} : i16 to i32
// CHECK: arith.muli
// CHECK: -> tensor<1x4x4x14x14x64xi32>
// CHECK: arith.shrsi %{{.*}}, %c2_i32 : i32
// CHECK: -> tensor<1x28x28x64xi32>
#in = affine_map<(n, m, y, x, c, i, j) -> (n, y + i, x + j, c)>
#filter = affine_map<(n, m, y, x, c, i, j) -> (m, c, i, j)>
#out = affine_map<(n, m, y, x, c, i, j) -> (n, y, x, m)>
func.func @words(%x: tensor<1x30x30x64xi8> {skriptnd.input = "x"}, %w: tensor<64x64x3x3xi8> {skriptnd.variable = "w"})
    -> (tensor<1x28x28x64xi32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x28x28x64xi32>
  %begin = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x28x28x64xi32>) -> tensor<1x28x28x64xi32>
  %sum = linalg.generic {indexing_maps = [#in, #filter, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x30x30x64xi8>, tensor<64x64x3x3xi8>) outs(%begin : tensor<1x28x28x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %c = arith.extui %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %product = arith.muli %c, %d : i32
    %more = arith.addi %o, %product : i32
    linalg.yield %more : i32
  } -> tensor<1x28x28x64xi32>
  return %sum : tensor<1x28x28x64xi32>
}

// -----

// More channels than sums of 32 bits have room for.
// CHECK-LABEL: func.func @large_sums
// CHECK-NOT: i16
#in = affine_map<(n, m, y, x, c, i, j) -> (n, y + i, x + j, c)>
#filter = affine_map<(n, m, y, x, c, i, j) -> (m, c, i, j)>
#out = affine_map<(n, m, y, x, c, i, j) -> (n, y, x, m)>
func.func @large_sums(%x: tensor<1x30x30x1840xi8> {skriptnd.input = "x"}, %w: tensor<64x1840x3x3xi8> {skriptnd.variable = "w"})
    -> (tensor<1x28x28x64xi32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x28x28x64xi32>
  %begin = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x28x28x64xi32>) -> tensor<1x28x28x64xi32>
  %sum = linalg.generic {indexing_maps = [#in, #filter, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x30x30x1840xi8>, tensor<64x1840x3x3xi8>) outs(%begin : tensor<1x28x28x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %c = arith.extui %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %product = arith.muli %c, %d : i32
    %more = arith.addi %o, %product : i32
    linalg.yield %more : i32
  } -> tensor<1x28x28x64xi32>
  return %sum : tensor<1x28x28x64xi32>
}
