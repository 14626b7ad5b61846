// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s

// Rows that data choose: the index is fetched once, and the row is loaded by vectors.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: vector.gather
// CHECK: memref.load {{.*}} : memref<7xindex, {{.*}}>
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: vector.store
func.func @rows(%x: memref<100x64xf32>, %at: memref<7xindex>, %y: memref<7x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%at : memref<7xindex>) outs(%y : memref<7x64xf32>) {
  ^bb0(%row: index, %out: f32):
    %n = linalg.index 1 : index
    %1 = memref.load %x[%row, %n] : memref<100x64xf32>
    linalg.yield %1 : f32
  }
  return
}

// -----

// Elements that lie anywhere are gathered, by numbers of 32 bits where they are few.
// CHECK-LABEL: func.func private @kernel_0
// CHECK: vector.gather {{.*}} vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
func.func @anywhere(%x: memref<100xf32>, %at: memref<64xindex>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
      iterator_types = ["parallel"]} ins(%at : memref<64xindex>) outs(%y : memref<64xf32>) {
  ^bb0(%place: index, %out: f32):
    %1 = memref.load %x[%place] : memref<100xf32>
    linalg.yield %1 : f32
  }
  return
}

// -----

// Backwards: a vector is loaded and reversed.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: vector.gather
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: vector.shuffle {{.*}} [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
func.func @backwards(%x: memref<64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>], iterator_types = ["parallel"]} outs(%y : memref<64xf32>) {
  ^bb0(%out: f32):
    %last = arith.constant 63 : index
    %n = linalg.index 0 : index
    %place = arith.subi %last, %n : index
    %1 = memref.load %x[%place] : memref<64xf32>
    linalg.yield %1 : f32
  }
  return
}

// -----

// Memory whose extents only a run knows comes with its strides.
// CHECK-LABEL: func.func @open
// CHECK: memref.extract_strided_metadata
// CHECK-LABEL: func.func private @kernel_0
// CHECK: vector.load {{.*}} vector<16xf32>
func.func @open(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %at: memref<7xindex>, %y: memref<7x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%at : memref<7xindex>) outs(%y : memref<7x64xf32>) {
  ^bb0(%row: index, %out: f32):
    %n = linalg.index 1 : index
    %1 = memref.load %x[%row, %n] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.yield %1 : f32
  }
  return
}

// -----

// A search has two accumulators, the element and its index; lanes search apart, and the first of the best is taken at the end.
// CHECK-LABEL: func.func @search
// CHECK-NEXT: call @kernel_0
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @kernel_0
// CHECK: scf.for {{.*}} -> (vector<16xf32>, {{.*}}vector<16xi64>
// CHECK: arith.cmpf ogt, {{.*}} : vector<16xf32>
// CHECK: vector.reduction <maxnumf>
// CHECK: arith.cmpf ule
// CHECK: vector.reduction <minsi>
func.func @search(%x: memref<5x640xf32>, %best: memref<5xf32>, %index: memref<5xi64>) {
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : memref<5x640xf32>) outs(%best, %index : memref<5xf32>, memref<5xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64):
    %n = linalg.index 1 : index
    %at = arith.index_cast %n : index to i64
    %better = arith.cmpf ogt, %a, %b : f32
    %1 = arith.select %better, %a, %b : f32
    %2 = arith.select %better, %at, %i : i64
    linalg.yield %1, %2 : f32, i64
  }
  return
}
