// RUN: skriptnd-opt %s --split-input-file --verify-diagnostics

module attributes {skriptnd.target = {cpu = "hexagonv67", features = "", triple = "hexagon-unknown-elf"}} {
  func.func @early(%memory: memref<64xi8>, %n: index) {
    %vtcm = hexagon.region : memref<64xi8, #hexagon.vtcm>
    // expected-error @below {{'hexagon.dma_start' op the DMA that programs start begins with version 68, and the module is for `hexagonv67`}}
    hexagon.dma_start %memory[%n] to %vtcm[%n] length %n : memref<64xi8> to memref<64xi8, #hexagon.vtcm>
    return
  }
}

// -----

module attributes {skriptnd.target = {cpu = "hexagonv66", features = "", triple = "hexagon-unknown-elf"}} {
  func.func @early() {
    // expected-error @below {{'hexagon.dma_wait' op the DMA that programs start begins with version 68, and the module is for `hexagonv66`}}
    hexagon.dma_wait
    return
  }
}

// -----

module attributes {skriptnd.target = {cpu = "hexagonv62", features = "", triple = "hexagon-unknown-elf"}} {
  func.func @early() {
    // expected-error @below {{'hexagon.region' op VTCM begins with version 65, and the module is for `hexagonv62`}}
    %vtcm = hexagon.region : memref<64xi8, #hexagon.vtcm>
    return
  }
}

// -----

module attributes {skriptnd.target = {cpu = "znver4", features = "", triple = "x86_64-unknown-linux-gnu"}} {
  func.func @elsewhere() {
    // expected-error @below {{'hexagon.region' op VTCM is Hexagon's, and the module is for x86_64-unknown-linux-gnu}}
    %vtcm = hexagon.region : memref<64xi8, #hexagon.vtcm>
    return
  }
}

// -----

func.func @anywhere() {
  // expected-error @below {{'hexagon.region' op expected so many bytes in `#hexagon.vtcm`, found memref<64xi8>}}
  %vtcm = hexagon.region : memref<64xi8>
  return
}

// -----

func.func @anywhere(%a: memref<64xi8>, %b: memref<64xi8>, %n: index) {
  // expected-error @below {{'hexagon.dma_start' op expected one of memref<64xi8> and memref<64xi8> in `#hexagon.vtcm`}}
  hexagon.dma_start %a[%n] to %b[%n] length %n : memref<64xi8> to memref<64xi8>
  return
}

// -----

func.func @elements(%a: memref<64xi8>, %b: memref<64xf32, #hexagon.vtcm>, %n: index) {
  // expected-error @below {{'hexagon.dma_start' op copies elements of memref<64xi8> to those of memref<64xf32, #hexagon.vtcm>}}
  hexagon.dma_start %a[%n] to %b[%n] length %n : memref<64xi8> to memref<64xf32, #hexagon.vtcm>
  return
}

// -----

func.func @apart(%a: memref<64xi8, strided<[2]>>, %b: memref<64xi8, #hexagon.vtcm>, %n: index) {
  // expected-error @below {{'hexagon.dma_start' op expected elements beside each other, found memref<64xi8, strided<[2]>>}}
  hexagon.dma_start %a[%n] to %b[%n] length %n : memref<64xi8, strided<[2]>> to memref<64xi8, #hexagon.vtcm>
  return
}

// -----

func.func @rows(%a: memref<64xi32>, %b: memref<64xi32, #hexagon.vtcm>, %n: index) {
  // expected-error @below {{'hexagon.dma_start' op expected rows that are from 1 to 16383 elements apart, found 16384}}
  hexagon.dma_start %a[%n] to %b[%n] length %n rows <2 from 16384 to 8> : memref<64xi32> to memref<64xi32, #hexagon.vtcm>
  return
}

// -----

func.func @rows(%a: memref<64xi32>, %b: memref<64xi32, #hexagon.vtcm>, %n: index) {
  // expected-error @below {{'hexagon.dma_start' op expected from 1 to 65535 rows, found 65536}}
  hexagon.dma_start %a[%n] to %b[%n] length %n rows <65536 from 8 to 8> : memref<64xi32> to memref<64xi32, #hexagon.vtcm>
  return
}
