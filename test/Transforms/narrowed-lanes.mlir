// Words that become bytes fill a vector of these together, where no instruction makes each vector of words a shorter one.
// RUN: rm -rf %t.NARROW
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" --codegen-emit-kernels='dump-schedules="%/t.NARROW"' -o %t.NARROW.mlir
// RUN: cat %t.NARROW/*.schedule | FileCheck %s --check-prefix=NARROW
// RUN: rm -rf %t.WIDE
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels='dump-schedules="%/t.WIDE"' -o %t.WIDE.mlir
// RUN: cat %t.WIDE/*.schedule | FileCheck %s --check-prefix=WIDE

// NARROW: loop d0 by 32 in vectors of 32;
// WIDE: loop d0 by 64 in vectors of 16;
func.func @bytes(%x: memref<6400xf32>, %y: memref<6400xi8>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<6400xf32>) outs(%y : memref<6400xi8>) {
  ^bb0(%a: f32, %b: i8):
    %1 = arith.fptosi %a : f32 to i32
    %2 = arith.trunci %1 : i32 to i8
    linalg.yield %2 : i8
  }
  return
}
