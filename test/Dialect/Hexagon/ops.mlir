// RUN: skriptnd-opt %s --verify-roundtrip | FileCheck %s
// RUN: skriptnd-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: skriptnd-opt %s --canonicalize --cse | FileCheck %s --check-prefix=KEPT

// The memory space is an attribute of types; a region that nothing reads goes, what copies stays.
// CHECK-LABEL: func.func @copy
// CHECK: %[[VTCM:.+]] = hexagon.region : memref<4096xi8, #hexagon.vtcm>
// CHECK: hexagon.dma_start %{{.*}}[%{{.*}}] to %[[VTCM]][%{{.*}}] length %{{.*}} : memref<65536xi8> to memref<4096xi8, #hexagon.vtcm>
// CHECK: hexagon.dma_start %{{.*}}[%{{.*}}] to %[[VTCM]][%{{.*}}] length %{{.*}} rows <8 from 256 to 64> {note} : memref<65536xi8> to memref<4096xi8, #hexagon.vtcm>
// CHECK: hexagon.dma_wait
// CHECK: hexagon.dma_start %[[VTCM]]
// CHECK: hexagon.dma_wait
// GENERIC: "hexagon.dma_start"(%{{.*}}) <{rows = #hexagon.rows<8 from 256 to 64>}> {note}
// KEPT-COUNT-3: hexagon.dma_start
// KEPT: hexagon.dma_wait
// KEPT-NEXT: return
func.func @copy(%memory: memref<65536xi8>, %from: index) {
  %zero = arith.constant 0 : index
  %length = arith.constant 64 : index
  %vtcm = hexagon.region : memref<4096xi8, #hexagon.vtcm>
  %unread = hexagon.region : memref<64xi8, #hexagon.vtcm>
  hexagon.dma_start %memory[%from] to %vtcm[%zero] length %length : memref<65536xi8> to memref<4096xi8, #hexagon.vtcm>
  hexagon.dma_start %memory[%from] to %vtcm[%length] length %length rows <8 from 256 to 64> {note} : memref<65536xi8> to memref<4096xi8, #hexagon.vtcm>
  hexagon.dma_wait
  hexagon.dma_start %vtcm[%zero] to %memory[%zero] length %length : memref<4096xi8, #hexagon.vtcm> to memref<65536xi8>
  hexagon.dma_wait
  return
}

// A module for a processor that has them.
module attributes {skriptnd.target = {cpu = "hexagonv68", features = "", triple = "hexagon-unknown-elf"}} {
  // CHECK-LABEL: func.func @reals
  // CHECK: memref.alloca() : memref<32xf32, #hexagon.vtcm>
  func.func @reals(%memory: memref<32xf32, strided<[1], offset: ?>>, %n: index) {
    %tile = memref.alloca() : memref<32xf32, #hexagon.vtcm>
    hexagon.dma_start %memory[%n] to %tile[%n] length %n : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32, #hexagon.vtcm>
    hexagon.dma_wait
    return
  }
}

// A note at the place of an operation.
// RUN: skriptnd-opt %s --mlir-print-debuginfo | FileCheck %s --check-prefix=NOTED
// NOTED: #[[PLACE:.+]] = loc("a.sknd":7:13)
// NOTED: loc(fused<#hexagon.whole>[#[[PLACE]]])
func.func @noted() {
  return loc(fused<#hexagon.whole>["a.sknd":7:13])
}
