// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+fma" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: skriptnd-opt %s "--codegen-set-target=triple=hexagon-unknown-linux-musl" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s --check-prefix=SCALAR

// Initial value, sum and rectifier are one kernel, as they say: the accumulators live in registers from the first to the last.
// CHECK-LABEL: func.func @product
// CHECK-NEXT: call @kernel_0
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: memref.alloc
// CHECK: scf.for %{{.*}} iter_args(%{{.*}}) -> ({{(vector<16xf32>, )+}}vector<16xf32>)
// CHECK: math.fma %{{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK: arith.maximumf %{{.*}} : vector<16xf32>
// CHECK: vector.store
// CHECK: return
// NARROW-LABEL: func.func private @kernel_0
// NARROW: math.fma %{{.*}} : vector<8xf32>
// SCALAR-LABEL: func.func private @kernel_0
// SCALAR-NOT: vector
// SCALAR: math.fma %{{.*}} : f32
#map = affine_map<(m, n) -> (m, n)>
func.func @product(%x: memref<28x64xf32>, %w: memref<64x32xf32>, %y: memref<28x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<28x32xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n) -> ()>, #map], iterator_types = ["parallel", "parallel"]}
      ins(%zero : f32) outs(%sum : memref<28x32xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"} {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<28x64xf32>, memref<64x32xf32>) outs(%sum : memref<28x32xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<28x32xf32>) outs(%y : memref<28x32xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "epilogue"} {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %zero : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The sum is needed twice, so it is stored; what follows is done row by row in the same kernel.
// CHECK-LABEL: func.func @shared
// CHECK: call @kernel_0
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @kernel_0
// CHECK: scf.for
// The halves of vectors are added until two numbers are left.
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
// CHECK: arith.addf %{{.*}} : f32
// CHECK: memref.store
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: memref.store
#map1 = affine_map<(m) -> (m)>
func.func @shared(%x: memref<8x64xf32>, %sum: memref<8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x64xf32>) outs(%sum : memref<8xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]}
      ins(%sum : memref<8xf32>) outs(%y : memref<8xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.mulf %a, %a : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Two copies of the same kind are one kernel, called twice.
// CHECK-LABEL: func.func @twice
// CHECK: call @kernel_0(
// CHECK: call @kernel_0(
// CHECK: func.func private @kernel_0
// CHECK-NOT: func.func
func.func @twice(%a: memref<100xf32>, %b: memref<100xf32>, %c: memref<100xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%a : memref<100xf32>) outs(%b : memref<100xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%a : memref<100xf32>) outs(%c : memref<100xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

// An operation with several results, all of which the body uses.
// CHECK-LABEL: func.func @halves
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended
// CHECK: arith.xori %[[LOW]], %[[HIGH]]
func.func @halves(%x: memref<5xi64>, %y: memref<5xi64>) {
  linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%x : memref<5xi64>) outs(%y : memref<5xi64>) {
  ^bb0(%a: i64, %b: i64):
    %low, %high = arith.mului_extended %a, %a : i64
    %v = arith.xori %low, %high : i64
    linalg.yield %v : i64
  }
  return
}

// -----

// What kernels don't have stays for loops.
// CHECK-LABEL: func.func @parts
// CHECK: linalg.generic
// CHECK: affine.delinearize_index
func.func @parts(%x: memref<3x4xf32>, %at: memref<5xi64>, %y: memref<5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%at : memref<5xi64>) outs(%y : memref<5xf32>) {
  ^bb0(%a: i64, %b: f32):
    %i = arith.index_cast %a : i64 to index
    %p:2 = affine.delinearize_index %i into (3, 4) : index, index
    %v = memref.load %x[%p#0, %p#1] : memref<3x4xf32>
    linalg.yield %v : f32
  }
  return
}

// -----

// A body fetches elements of an operand that the kernel reads, too: both by addresses.
// CHECK-LABEL: func.func @gathered
// CHECK: func.func private @kernel_0
// CHECK-SAME: memref<2x3xf32>, %[[X:.*]]: memref<2x3xf32>, %{{.*}}: memref<3xindex>
// CHECK: %[[FLAT:[^ ]*]] = memref.reinterpret_cast %[[X]]
// CHECK: vector.gather %[[FLAT]][
#map5 = affine_map<(m, n) -> (m, n)>
func.func @gathered(%x: memref<2x3xf32>, %at: memref<3xindex>, %y: memref<2x3xf32>) {
  linalg.generic {indexing_maps = [#map5, affine_map<(m, n) -> (n)>, #map5], iterator_types = ["parallel", "parallel"]}
      ins(%x, %at : memref<2x3xf32>, memref<3xindex>) outs(%y : memref<2x3xf32>) {
  ^bb0(%a: f32, %b: index, %c: f32):
    %m = linalg.index 0 : index
    %1 = memref.load %x[%m, %b] : memref<2x3xf32>
    %2 = arith.addf %a, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// Parts of memory, also where only a run knows which, have one kernel that is told where they begin.
// CHECK-LABEL: func.func @slices
// CHECK: call @kernel_0(
// CHECK: scf.for
// CHECK: %[[BASE:[^,]*]], %[[OFFSET:[^,]*]], {{.*}} = memref.extract_strided_metadata
// CHECK: call @kernel_0({{.*}}%[[OFFSET]])
// CHECK: func.func private @kernel_0
// CHECK: vector.load
// CHECK-NOT: func.func
func.func @slices(%x: memref<9x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %first = memref.subview %x[3, 0] [1, 64] [1, 1] : memref<9x64xf32> to memref<64xf32, strided<[1], offset: 192>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%first : memref<64xf32, strided<[1], offset: 192>>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  scf.for %i = %c0 to %c9 step %c1 {
    %row = memref.subview %x[%i, 0] [1, 64] [1, 1] : memref<9x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%row : memref<64xf32, strided<[1], offset: ?>>) outs(%y : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.negf %a : f32
      linalg.yield %0 : f32
    }
  }
  return
}
