// RUN: skriptnd-opt %s --codegen-lower-hexagon --canonicalize --cse | FileCheck %s

// Copies that are started one behind the other are a chain: each descriptor has the address of the next one, and the first is started.
// CHECK-LABEL: func.func @chain
// 64 elements of two bytes, in order; rows of them, of which there are eight, 512 bytes apart where they come from and 128 where they go.
// CHECK-DAG: %[[LENGTH:.+]] = arith.constant 1073741952 : i32
// CHECK-DAG: %[[ROWS:.+]] = arith.constant 1090519040 : i32
// CHECK-DAG: %[[REGION:.+]] = arith.constant 524416 : i32
// CHECK-DAG: %[[APART:.+]] = arith.constant 8389120 : i32
// CHECK-DAG: %[[NONE:.+]] = arith.constant 0 : i32
// CHECK: %[[A:.+]] = memref.alloca() {alignment = 32 : i64} : memref<8xi32>
// CHECK: %[[B:.+]] = memref.alloca() {alignment = 32 : i64} : memref<8xi32>
// CHECK: memref.store %{{.*}}, %[[FIRST:.+]][%c0] : memref<8xi32>
// CHECK: memref.store %[[LENGTH]], %[[FIRST]][%c1] : memref<8xi32>
// CHECK: memref.store %[[NONE]], %[[SECOND:.+]][%c0] : memref<8xi32>
// CHECK: memref.store %[[ROWS]], %[[SECOND]][%c1] : memref<8xi32>
// CHECK: memref.store %[[REGION]], %[[SECOND]][%c5] : memref<8xi32>
// CHECK: memref.store %[[APART]], %[[SECOND]][%c6] : memref<8xi32>
// CHECK: dmstart
// CHECK-NOT: dmstart
// CHECK: dmwait
func.func @chain(%x: memref<4096xi16>, %from: index) {
  %zero = arith.constant 0 : index
  %length = arith.constant 64 : index
  %bytes = hexagon.region : memref<8192xi8, #hexagon.vtcm>
  %vtcm = memref.view %bytes[%zero][] : memref<8192xi8, #hexagon.vtcm> to memref<4096xi16, #hexagon.vtcm>
  hexagon.dma_start %x[%from] to %vtcm[%zero] length %length : memref<4096xi16> to memref<4096xi16, #hexagon.vtcm>
  hexagon.dma_start %x[%from] to %vtcm[%length] length %length rows <8 from 256 to 64> : memref<4096xi16> to memref<4096xi16, #hexagon.vtcm>
  hexagon.dma_wait
  return
}

// Behind a wait there is another chain.
// CHECK-LABEL: func.func @apart
// CHECK: dmstart
// CHECK: dmwait
// CHECK: dmstart
// CHECK: dmwait
func.func @apart(%x: memref<4096xi8>, %from: index) {
  %zero = arith.constant 0 : index
  %length = arith.constant 64 : index
  %vtcm = hexagon.region : memref<4096xi8, #hexagon.vtcm>
  hexagon.dma_start %x[%from] to %vtcm[%zero] length %length : memref<4096xi8> to memref<4096xi8, #hexagon.vtcm>
  hexagon.dma_wait
  hexagon.dma_start %vtcm[%zero] to %x[%from] length %length : memref<4096xi8, #hexagon.vtcm> to memref<4096xi8>
  hexagon.dma_wait
  return
}
