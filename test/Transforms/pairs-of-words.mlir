// Products of pairs of words take two instructions, beside which a load for each is one too many: a tile is two vectors wide, where few
// registers leave it the choice.
// RUN: rm -rf %t.NARROW
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" --codegen-emit-kernels='dump-schedules="%/t.NARROW"' -o %t.NARROW.mlir
// RUN: cat %t.NARROW/*.schedule | FileCheck %s

// CHECK: loop d1 by 16 in vectors of 8;
// CHECK: loop d0 by 6;
// CHECK: reduce d2 with vpmaddwd;
func.func @product(%x: memref<600x256xi16>, %w: memref<4x128x16x2xi16>, %y: memref<600x64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n floordiv 16, k floordiv 2, n mod 16, k mod 2)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<600x256xi16>, memref<4x128x16x2xi16>) outs(%y : memref<600x64xi32>) {
  ^bb0(%a: i16, %b: i16, %c: i32):
    %0 = arith.extsi %a : i16 to i32
    %1 = arith.extsi %b : i16 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
