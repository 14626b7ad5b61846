// Products of narrow numbers become the instructions that the target has for them.

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=cascadelake" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=cascadelake %t.ll -o - | FileCheck %s --check-prefix=VNNI
// VNNI: vpdpbusd {{.*}}%zmm

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=alderlake" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=alderlake %t.ll -o - | FileCheck %s --check-prefix=AVXVNNI
// AVXVNNI: vpdpbusd {{.*}}%ymm

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=sierraforest" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=sierraforest %t.ll -o - | FileCheck %s --check-prefix=INT8
// INT8: vpdpbssd {{.*}}%ymm

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=haswell" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=x86_64-unknown-linux-gnu -mcpu=haswell %t.ll -o - | FileCheck %s --check-prefix=AVX2
// AVX2: vpmaddwd {{.*}}%ymm

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=aarch64-unknown-linux-gnu cpu=neoverse-n1" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=aarch64-unknown-linux-gnu -mcpu=neoverse-n1 %t.ll -o - | FileCheck %s --check-prefix=NEON
// NEON: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=aarch64-unknown-linux-gnu cpu=neoverse-n2 features=-sve" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=aarch64-unknown-linux-gnu -mcpu=neoverse-n2 %t.ll -o - | FileCheck %s --check-prefix=PAIRS
// PAIRS: smmla v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v

// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=riscv64-unknown-linux-gnu features=+m,+a,+f,+d,+c,+v" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=riscv64-unknown-linux-gnu -mattr=+m,+a,+f,+d,+c,+v %t.ll -o - | FileCheck %s --check-prefix=RVV
// RVV: vwmacc

// The same form for HVX, which has no runtime yet.
// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=hexagon-unknown-linux-musl cpu=hexagonv68 features=+hvxv68,+hvx-length128b" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -mtriple=hexagon -mcpu=hexagonv68 -mattr=+hvxv68,+hvx-length128b %t.ll -o - | FileCheck %s --check-prefix=HVX
// HVX: v{{[0-9]+}}.w += vrmpy(v{{[0-9]+}}.b,v{{[0-9]+}}.b)

func.func @product(%x: tensor<24x64xi64> {skriptnd.input = "x"}, %w: tensor<64x64xi64> {skriptnd.variable = "w"})
    -> (tensor<24x64xi64> {skriptnd.output = "y"}) {
  %zero = arith.constant 0 : i32
  %xe = tensor.empty() : tensor<24x64xi8>
  %xn = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<24x64xi64>) outs(%xe : tensor<24x64xi8>) {
  ^bb0(%a: i64, %o: i8):
    %n = arith.trunci %a : i64 to i8
    linalg.yield %n : i8
  } -> tensor<24x64xi8>
  %we = tensor.empty() : tensor<64x64xi8>
  %wn = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x64xi64>) outs(%we : tensor<64x64xi8>) {
  ^bb0(%a: i64, %o: i8):
    %n = arith.trunci %a : i64 to i8
    linalg.yield %n : i8
  } -> tensor<64x64xi8>
  %e = tensor.empty() : tensor<24x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<24x64xi32>) -> tensor<24x64xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%xn, %wn : tensor<24x64xi8>, tensor<64x64xi8>) outs(%f : tensor<24x64xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %aw = arith.extsi %a : i8 to i32
    %bw = arith.extsi %b : i8 to i32
    %m = arith.muli %aw, %bw : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<24x64xi32>
  %z = tensor.empty() : tensor<24x64xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<24x64xi32>) outs(%z : tensor<24x64xi64>) {
  ^bb0(%a: i32, %o: i64):
    %w2 = arith.extsi %a : i32 to i64
    linalg.yield %w2 : i64
  } -> tensor<24x64xi64>
  return %y : tensor<24x64xi64>
}
