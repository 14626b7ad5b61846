// Taps of a convolution of bytes channel by channel are added in groups: those of three lines are put together once for the three windows
// that have them in common.

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=icelake-server" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=icelake-server %t.ll -o %t.s
// RUN: FileCheck %s --check-prefix=VBMI < %t.s
// RUN: grep -c "vpdpbusd" %t.s | FileCheck %s --check-prefix=PRODUCTS
// RUN: grep -c "vpermb" %t.s | FileCheck %s --check-prefix=GROUPS
// VBMI-NOT: vpmulld
// VBMI: vpermb {{.*}}%zmm
// VBMI: vpdpbusd {{.*}}%zmm
// A tile of 12 pixels by two vectors has three products for each, of 14 groups by two vectors.
// PRODUCTS: {{^72$}}
// GROUPS: {{^28$}}

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=cascadelake" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=cascadelake %t.ll -o - | FileCheck %s --check-prefix=VNNI
// VNNI-NOT: vpmulld
// VNNI: vpdpbusd {{.*}}%zmm

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=haswell" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=haswell %t.ll -o - | FileCheck %s --check-prefix=AVX2
// AVX2-NOT: vpmulld
// AVX2: vpunpcklbw
// AVX2: vpmaddwd {{.*}}%ymm

func.func @depthwise(%x: tensor<14x14x32xi64> {skriptnd.input = "x"}, %w: tensor<3x3x32xi64> {skriptnd.variable = "w"})
    -> (tensor<12x12x32xi64> {skriptnd.output = "y"}) {
  %zero = arith.constant 0 : i32
  %xe = tensor.empty() : tensor<14x14x32xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<14x14x32xi64>) outs(%xe : tensor<14x14x32xi8>) {
  ^bb0(%a: i64, %o: i8):
    %n = arith.trunci %a : i64 to i8
    linalg.yield %n : i8
  } -> tensor<14x14x32xi8>
  %we = tensor.empty() : tensor<3x3x32xi8>
  %wb = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x3x32xi64>) outs(%we : tensor<3x3x32xi8>) {
  ^bb0(%a: i64, %o: i8):
    %n = arith.trunci %a : i64 to i8
    linalg.yield %n : i8
  } -> tensor<3x3x32xi8>
  %e = tensor.empty() : tensor<12x12x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x12x32xi32>) -> tensor<12x12x32xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(y, x, c, u, v) -> (y + u, x + v, c)>, affine_map<(y, x, c, u, v) -> (u, v, c)>,
      affine_map<(y, x, c, u, v) -> (y, x, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%xb, %wb : tensor<14x14x32xi8>, tensor<3x3x32xi8>) outs(%f : tensor<12x12x32xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %aw = arith.extui %a : i8 to i32
    %bw = arith.extsi %b : i8 to i32
    %p = arith.muli %aw, %bw : i32
    %sum = arith.addi %o, %p : i32
    linalg.yield %sum : i32
  } -> tensor<12x12x32xi32>
  %ye = tensor.empty() : tensor<12x12x32xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<12x12x32xi32>) outs(%ye : tensor<12x12x32xi64>) {
  ^bb0(%a: i32, %o: i64):
    %n = arith.extsi %a : i32 to i64
    linalg.yield %n : i64
  } -> tensor<12x12x32xi64>
  return %y : tensor<12x12x32xi64>
}
