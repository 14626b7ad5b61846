// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s

// Rows are loaded as vectors and transposed in registers: no element by itself, where the extents are multiples of a vector.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-NOT: memref.load
// CHECK-COUNT-16: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
// CHECK-COUNT-16: vector.store {{.*}} vector<16xf32>
// CHECK-NOT: memref.store
// CHECK: return
func.func @transposed(%x: memref<4x64x48xf32>, %y: memref<4x48x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, j, i)>, affine_map<(n, i, j) -> (n, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<4x64x48xf32>) outs(%y : memref<4x48x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Of what is left, smaller squares; one row beside them is gathered. What lies along the vectors is loaded as it is.
// CHECK-LABEL: func.func private @kernel_0
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: vector.gather
// CHECK: return
func.func @added(%x: memref<61x29xf32>, %z: memref<29x61xf32>, %y: memref<29x61xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %z : memref<61x29xf32>, memref<29x61xf32>) outs(%y : memref<29x61xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// How far apart lanes lie, only a run knows: they are loaded across as well, and those of one row put together.
// CHECK-LABEL: func.func private @kernel_0
// CHECK-COUNT-16: vector.load {{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
// CHECK: vector.insert
// CHECK: return
func.func @open(%x: memref<16x?xf32>, %y: memref<?x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : memref<16x?xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
