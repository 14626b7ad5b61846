// The schedules of a fixed set of kernels on targets of every kind: snapshots of what costs least. The files are in the order
// of the keys.
// RUN: rm -rf %t.WIDE
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels='dump-schedules="%/t.WIDE"' -o %t.WIDE.mlir
// RUN: cat %t.WIDE/*.schedule | FileCheck %s --match-full-lines --check-prefix=WIDE
// RUN: rm -rf %t.NARROW
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" --codegen-emit-kernels='dump-schedules="%/t.NARROW"' -o %t.NARROW.mlir
// RUN: cat %t.NARROW/*.schedule | FileCheck %s --match-full-lines --check-prefix=NARROW
// RUN: rm -rf %t.NEON
// RUN: skriptnd-opt %s "--codegen-set-target=triple=aarch64-unknown-linux-gnu" --codegen-emit-kernels='dump-schedules="%/t.NEON"' -o %t.NEON.mlir
// RUN: cat %t.NEON/*.schedule | FileCheck %s --match-full-lines --check-prefix=NEON
// RUN: rm -rf %t.SVE
// RUN: skriptnd-opt %s "--codegen-set-target=triple=aarch64-unknown-linux-gnu features=+sve" --codegen-emit-kernels='dump-schedules="%/t.SVE"' -o %t.SVE.mlir
// RUN: cat %t.SVE/*.schedule | FileCheck %s --match-full-lines --check-prefix=SVE
// RUN: rm -rf %t.RVV
// RUN: skriptnd-opt %s "--codegen-set-target=triple=riscv64-unknown-linux-gnu features=+m,+a,+f,+d,+c,+v" --codegen-emit-kernels='dump-schedules="%/t.RVV"' -o %t.RVV.mlir
// RUN: cat %t.RVV/*.schedule | FileCheck %s --match-full-lines --check-prefix=RVV
// RUN: rm -rf %t.SCALAR
// RUN: skriptnd-opt %s "--codegen-set-target=triple=hexagon-unknown-linux-musl" --codegen-emit-kernels='dump-schedules="%/t.SCALAR"' -o %t.SCALAR.mlir
// RUN: cat %t.SCALAR/*.schedule | FileCheck %s --match-full-lines --check-prefix=SCALAR

// What is given back unchanged makes the same code.
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels='schedules="%/t.WIDE"' -o %t.again.mlir
// RUN: diff %t.WIDE.mlir %t.again.mlir

// WIDE: // For x86_64-unknown-linux-gnu: avx512, 16 lanes of f32, 32 registers.
// WIDE: // Dimensions: d0 (parallel) = 100, d1 (parallel) = 96, d2 (reduced) = 64
// WIDE: kernel 055ea007c2774c2b {
// WIDE-NEXT:   loop d0 by 13;
// WIDE-NEXT:   loop d1 by 32 in vectors of 16;
// WIDE-NEXT:   reduce d2;
// WIDE-NEXT: }
// WIDE: // Dimensions: d0 (parallel) = 7, d1 (parallel) = 7, d2 (parallel) = 24, d3 (reduced) = 3, d4 (reduced) = 9
// WIDE: kernel 1d609aa01fa50b57 {
// WIDE-NEXT:   loop d0;
// WIDE-NEXT:   loop d1 by 7;
// WIDE-NEXT:   loop d2 by 32 in vectors of 16;
// WIDE-NEXT:   reduce d3;
// WIDE-NEXT:   unroll d4;
// WIDE-NEXT: }
// WIDE: // Dimensions: d0 (parallel, open)
// WIDE: kernel 71ea7324bbd5d1cf {
// WIDE-NEXT:   loop d0 by 64 in vectors of 16 masked;
// WIDE-NEXT: }
// WIDE: // Dimensions: d0 (parallel) = 90, d1 (parallel) = 60
// WIDE: kernel b2ced6eeb81c2913 {
// WIDE-NEXT:   loop d0 by 16;
// WIDE-NEXT:   loop d1 by 16 in vectors of 16;
// WIDE-NEXT: }
// WIDE: // Dimensions: d0 (parallel) = 50, d1 (reduced) = 1000
// WIDE: kernel f8fb0c328ec78641 {
// WIDE-NEXT:   loop d0 by 4;
// WIDE-NEXT:   reduce d1 by 32 in vectors of 16;
// WIDE-NEXT: }

// NARROW: // For x86_64-unknown-linux-gnu: avx2, 8 lanes of f32, 16 registers.
// NARROW: // Dimensions: d0 (parallel) = 100, d1 (parallel) = 96, d2 (reduced) = 64
// NARROW: kernel 055ea007c2774c2b {
// NARROW-NEXT:   loop d0 by 6;
// NARROW-NEXT:   loop d1 by 16 in vectors of 8;
// NARROW-NEXT:   reduce d2;
// NARROW-NEXT: }
// NARROW: // Dimensions: d0 (parallel) = 7, d1 (parallel) = 7, d2 (parallel) = 24, d3 (reduced) = 3, d4 (reduced) = 9
// NARROW: kernel 1d609aa01fa50b57 {
// NARROW-NEXT:   loop d0;
// NARROW-NEXT:   loop d1 by 7;
// NARROW-NEXT:   loop d2 by 8 in vectors of 8;
// NARROW-NEXT:   reduce d3;
// NARROW-NEXT:   reduce d4;
// NARROW-NEXT: }
// NARROW: // Dimensions: d0 (parallel, open)
// NARROW: kernel 71ea7324bbd5d1cf {
// NARROW-NEXT:   loop d0 by 32 in vectors of 8 masked;
// NARROW-NEXT: }
// NARROW: // Dimensions: d0 (parallel) = 90, d1 (parallel) = 60
// NARROW: kernel b2ced6eeb81c2913 {
// NARROW-NEXT:   loop d0 by 8;
// NARROW-NEXT:   loop d1 by 8 in vectors of 8;
// NARROW-NEXT: }
// NARROW: // Dimensions: d0 (parallel) = 50, d1 (reduced) = 1000
// NARROW: kernel f8fb0c328ec78641 {
// NARROW-NEXT:   loop d0 by 4;
// NARROW-NEXT:   reduce d1 by 16 in vectors of 8;
// NARROW-NEXT: }

// NEON: // For aarch64-unknown-linux-gnu: neon, 4 lanes of f32, 32 registers.
// NEON: // Dimensions: d0 (parallel) = 100, d1 (parallel) = 96, d2 (reduced) = 64
// NEON: kernel 055ea007c2774c2b {
// NEON-NEXT:   loop d0 by 13;
// NEON-NEXT:   loop d1 by 8 in vectors of 4;
// NEON-NEXT:   reduce d2;
// NEON-NEXT: }
// NEON: // Dimensions: d0 (parallel) = 7, d1 (parallel) = 7, d2 (parallel) = 24, d3 (reduced) = 3, d4 (reduced) = 9
// NEON: kernel 1d609aa01fa50b57 {
// NEON-NEXT:   loop d0;
// NEON-NEXT:   loop d1 by 7;
// NEON-NEXT:   loop d2 by 8 in vectors of 4;
// NEON-NEXT:   reduce d3;
// NEON-NEXT:   unroll d4;
// NEON-NEXT: }
// NEON: // Dimensions: d0 (parallel, open)
// NEON: kernel 71ea7324bbd5d1cf {
// NEON-NEXT:   loop d0 by 16 in vectors of 4;
// NEON-NEXT: }
// NEON: // Dimensions: d0 (parallel) = 90, d1 (parallel) = 60
// NEON: kernel b2ced6eeb81c2913 {
// NEON-NEXT:   loop d0 by 4;
// NEON-NEXT:   loop d1 by 4 in vectors of 4;
// NEON-NEXT: }
// NEON: // Dimensions: d0 (parallel) = 50, d1 (reduced) = 1000
// NEON: kernel f8fb0c328ec78641 {
// NEON-NEXT:   loop d0 by 4;
// NEON-NEXT:   reduce d1 by 16 in vectors of 4;
// NEON-NEXT: }

// SVE: // For aarch64-unknown-linux-gnu: sve, 4 lanes of f32 or a multiple, 32 registers.
// SVE: // Dimensions: d0 (parallel) = 100, d1 (parallel) = 96, d2 (reduced) = 64
// SVE: kernel 055ea007c2774c2b {
// SVE-NEXT:   loop d0 by 13;
// SVE-NEXT:   loop d1 by [8] in vectors of [4] masked;
// SVE-NEXT:   reduce d2;
// SVE-NEXT: }
// SVE: // Dimensions: d0 (parallel) = 7, d1 (parallel) = 7, d2 (parallel) = 24, d3 (reduced) = 3, d4 (reduced) = 9
// SVE: kernel 1d609aa01fa50b57 {
// SVE-NEXT:   loop d0;
// SVE-NEXT:   loop d1 by 7;
// SVE-NEXT:   loop d2 by [8] in vectors of [4] masked;
// SVE-NEXT:   reduce d3;
// SVE-NEXT:   unroll d4;
// SVE-NEXT: }
// SVE: // Dimensions: d0 (parallel, open)
// SVE: kernel 71ea7324bbd5d1cf {
// SVE-NEXT:   loop d0 by [16] in vectors of [4] masked;
// SVE-NEXT: }
// SVE: // Dimensions: d0 (parallel) = 90, d1 (parallel) = 60
// SVE: kernel b2ced6eeb81c2913 {
// SVE-NEXT:   loop d0 by 4;
// SVE-NEXT:   loop d1 by 4 in vectors of 4;
// SVE-NEXT: }
// SVE: // Dimensions: d0 (parallel) = 50, d1 (reduced) = 1000
// SVE: kernel f8fb0c328ec78641 {
// SVE-NEXT:   loop d0 by 4;
// SVE-NEXT:   reduce d1 by [16] in vectors of [4] masked;
// SVE-NEXT: }

// RVV: // For riscv64-unknown-linux-gnu: rvv, 4 lanes of f32 or a multiple, 32 registers.
// RVV: // Dimensions: d0 (parallel) = 100, d1 (parallel) = 96, d2 (reduced) = 64
// RVV: kernel 055ea007c2774c2b {
// RVV-NEXT:   loop d0 by 13;
// RVV-NEXT:   loop d1 by [4] in vectors of [2] masked;
// RVV-NEXT:   reduce d2;
// RVV-NEXT: }
// RVV: // Dimensions: d0 (parallel) = 7, d1 (parallel) = 7, d2 (parallel) = 24, d3 (reduced) = 3, d4 (reduced) = 9
// RVV: kernel 1d609aa01fa50b57 {
// RVV-NEXT:   loop d0;
// RVV-NEXT:   loop d1 by 7;
// RVV-NEXT:   loop d2 by [4] in vectors of [2] masked;
// RVV-NEXT:   reduce d3;
// RVV-NEXT:   unroll d4;
// RVV-NEXT: }
// RVV: // Dimensions: d0 (parallel, open)
// RVV: kernel 71ea7324bbd5d1cf {
// RVV-NEXT:   loop d0 by [8] in vectors of [2] masked;
// RVV-NEXT: }
// RVV: // Dimensions: d0 (parallel) = 90, d1 (parallel) = 60
// RVV: kernel b2ced6eeb81c2913 {
// RVV-NEXT:   loop d0 by 4;
// RVV-NEXT:   loop d1 by 4 in vectors of 4;
// RVV-NEXT: }
// RVV: // Dimensions: d0 (parallel) = 50, d1 (reduced) = 1000
// RVV: kernel f8fb0c328ec78641 {
// RVV-NEXT:   loop d0 by 4;
// RVV-NEXT:   reduce d1 by [8] in vectors of [2] masked;
// RVV-NEXT: }

// SCALAR: // For hexagon-unknown-linux-musl: scalar, 1 lanes of f32, 16 registers.
// SCALAR: // Dimensions: d0 (parallel) = 100, d1 (parallel) = 96, d2 (reduced) = 64
// SCALAR: kernel 055ea007c2774c2b {
// SCALAR-NEXT:   loop d0 by 4;
// SCALAR-NEXT:   loop d1 by 4 in vectors of 1;
// SCALAR-NEXT:   reduce d2;
// SCALAR-NEXT: }
// SCALAR: // Dimensions: d0 (parallel) = 7, d1 (parallel) = 7, d2 (parallel) = 24, d3 (reduced) = 3, d4 (reduced) = 9
// SCALAR: kernel 1d609aa01fa50b57 {
// SCALAR-NEXT:   loop d0;
// SCALAR-NEXT:   loop d1 by 4;
// SCALAR-NEXT:   loop d2 by 4 in vectors of 1;
// SCALAR-NEXT:   reduce d3;
// SCALAR-NEXT:   unroll d4;
// SCALAR-NEXT: }
// SCALAR: // Dimensions: d0 (parallel, open)
// SCALAR: kernel 71ea7324bbd5d1cf {
// SCALAR-NEXT:   loop d0;
// SCALAR-NEXT: }
// SCALAR: // Dimensions: d0 (parallel) = 90, d1 (parallel) = 60
// SCALAR: kernel b2ced6eeb81c2913 {
// SCALAR-NEXT:   loop d1;
// SCALAR-NEXT:   loop d0 by 13;
// SCALAR-NEXT: }
// SCALAR: // Dimensions: d0 (parallel) = 50, d1 (reduced) = 1000
// SCALAR: kernel f8fb0c328ec78641 {
// SCALAR-NEXT:   loop d0 by 13;
// SCALAR-NEXT:   reduce d1;
// SCALAR-NEXT: }

func.func @product(%x: memref<100x64xf32>, %w: memref<64x96xf32>, %y: memref<100x96xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<100x64xf32>, memref<64x96xf32>) outs(%y : memref<100x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

func.func @convolution(%x: memref<9x9x3xf32>, %w: memref<3x3x3x24xf32>, %y: memref<7x7x24xf32>) {
  linalg.generic {indexing_maps = [affine_map<(h, w, c, i, j, k) -> (h + i, w + j, k)>,
      affine_map<(h, w, c, i, j, k) -> (i, j, k, c)>, affine_map<(h, w, c, i, j, k) -> (h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<9x9x3xf32>, memref<3x3x3x24xf32>) outs(%y : memref<7x7x24xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

func.func @product_with_vector(%x: memref<1000xf32>, %w: memref<50x1000xf32>, %y: memref<50xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : memref<1000xf32>, memref<50x1000xf32>) outs(%y : memref<50xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

func.func @transposed(%x: memref<60x90xf32>, %y: memref<90x60xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : memref<60x90xf32>) outs(%y : memref<90x60xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

func.func @open(%x: memref<?x31xf32>, %s: f32, %y: memref<?x31xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %s : memref<?x31xf32>, f32) outs(%y : memref<?x31xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  }
  return
}
