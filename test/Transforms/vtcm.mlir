// RUN: skriptnd-opt %s "--codegen-emit-kernels=vtcm=17000" --canonicalize --cse | FileCheck %s
// RUN: skriptnd-opt %s "--codegen-emit-kernels=vtcm=16000" --canonicalize --cse | FileCheck %s --check-prefix=SINGLE
// RUN: skriptnd-opt %s "--codegen-emit-kernels=vtcm=17000 dma=false" --canonicalize --cse | FileCheck %s --check-prefix=COPIED
// RUN: not skriptnd-opt %s "--codegen-emit-kernels=vtcm=8000" 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: skriptnd-opt %s "--codegen-emit-kernels=vtcm=17000" "--codegen-place-in-vtcm=budget=17000" --canonicalize --cse | FileCheck %s --check-prefix=PLACED
// RUN: not skriptnd-opt %s "--codegen-emit-kernels=vtcm=17000" "--codegen-place-in-vtcm=budget=16000" 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: skriptnd-opt %s "--codegen-emit-kernels=vtcm=17000" "--codegen-place-in-vtcm=budget=17000" --codegen-lower-hexagon --canonicalize --cse | FileCheck %s --check-prefix=LOWERED
// RUN: skriptnd-opt %s --codegen-emit-kernels | FileCheck %s --check-prefix=WITHOUT

// Panels of weights are read in order: there are two places. The next panel is copied while the kernel computes with one, whose place
// goes from one iteration to the next.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: %[[TILES:.+]] = memref.alloca() {alignment = 128 : i64} : memref<16896xi8, #hexagon.vtcm>
// CHECK: hexagon.dma_start %[[WEIGHTS:.+]][%c0] to %[[TILES]][%c0] length %c8192
// CHECK: scf.for %[[PANEL:.+]] = %c0 to %c128 step %c32 iter_args(%[[PLACE:.+]] = %c0) -> (index) {
// CHECK-NEXT: hexagon.dma_wait
// CHECK: %[[OTHER:.+]] = arith.subi %c1, %[[PLACE]] : index
// CHECK: scf.if
// CHECK: %[[TO:.+]] = arith.muli %[[OTHER]], %c8448 : index
// CHECK: hexagon.dma_start %[[WEIGHTS]][%{{.*}}] to %[[TILES]][%[[TO]]] length %{{.*}} : memref<32768xi8, strided<[1]>> to memref<16896xi8, #hexagon.vtcm>
// CHECK: vector.load %[[TILES]][%{{.*}}] {alignment = 128 : i64} : memref<16896xi8, #hexagon.vtcm>, vector<128xi8>
// CHECK: scf.yield %[[OTHER]] : index

// With room for one, it is waited for in each iteration.
// SINGLE: %[[TILE:.+]] = memref.alloca() {alignment = 128 : i64} : memref<8448xi8, #hexagon.vtcm>
// SINGLE: scf.for
// SINGLE: hexagon.dma_start %{{.*}} to %[[TILE]][%c0]
// SINGLE-NEXT: hexagon.dma_wait
// SINGLE: vector.load %[[TILE]]
// SINGLE-NOT: hexagon.dma_start

// Instructions copy whole vectors, and element by element what is none.
// COPIED-NOT: hexagon.dma
// COPIED: vector.store %{{.*}}, %{{.*}} {alignment = 128 : i64} : memref<16896xi8, #hexagon.vtcm>, vector<128xi8>
// COPIED: memref.store %{{.*}}, %{{.*}} : memref<16896xi8, #hexagon.vtcm>
// COPIED-NOT: hexagon.dma

// SMALL: error: {{.*}}8000 bytes of VTCM hold no tile of any kernel: the smallest one takes 8448
// MUCH: error: {{.*}}`kernel_0` has 16896 bytes in VTCM, and 16000 may be there

// PLACED: module attributes {{.*}}skriptnd.vtcm = 16896 : i64
// PLACED-LABEL: func.func private @kernel_0(
// PLACED: %[[VTCM:.+]] = hexagon.region : memref<16896xi8, #hexagon.vtcm>
// PLACED: hexagon.dma_start %{{.*}} to %[[VTCM]]
// PLACED-NOT: memref.alloca

// A descriptor has the next one, length and order, and the addresses.
// LOWERED-NOT: #hexagon
// LOWERED-LABEL: func.func private @kernel_0(
// LOWERED-NOT: hexagon.
// LOWERED-DAG: memref.alloca() {alignment = 32 : i64} : memref<8xi32>
// LOWERED-DAG: %[[ALL:.+]] = call @skriptnd.vtcm() : () -> memref<16896xi8>
// LOWERED: memref.extract_aligned_pointer_as_index
// LOWERED: memref.store
// LOWERED: llvm.inline_asm has_side_effects "release($0):at\0A\09dmstart($0)", "r,~{memory}" %{{.*}} : (i32) -> ()
// LOWERED: scf.for
// LOWERED: llvm.inline_asm has_side_effects "$0 = dmwait", "=r,~{memory}"  : () -> i32
// LOWERED: dmstart
// LOWERED: func.func private @skriptnd.vtcm() -> memref<16896xi8>

// WITHOUT-NOT: vtcm
module attributes {skriptnd.target = {cpu = "hexagonv68", features = "+hvxv68,+hvx-length128b", triple = "hexagon-unknown-linux-musl"}} {
  func.func @run(%x: memref<8x256xi8>, %w: memref<4x64x32x4xi8>, %y: memref<8x128xi32>) {
    linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (n floordiv 32, k floordiv 4, n mod 32, k mod 4)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : memref<8x256xi8>, memref<4x64x32x4xi8>) outs(%y : memref<8x128xi32>) {
    ^bb0(%a: i8, %b: i8, %c: i32):
      %0 = arith.extui %a : i8 to i32
      %1 = arith.extui %b : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %c, %2 : i32
      linalg.yield %3 : i32
    }
    return
  }
}
