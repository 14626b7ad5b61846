// What a reduction has so far is written at each of its points: the sums stay in registers, those of several rows beside each other.
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu cpu=x86-64-v4" --codegen-emit-kernels | FileCheck %s

// CHECK-LABEL: func.func private @kernel_0
// CHECK: scf.for %{{.*}} iter_args(%[[FIRST:[^ ]*]] = %{{[^ ]*}}, %[[SECOND:[^ ]*]] = %{{[^ ,]*}}
// CHECK: %[[SUM:.*]] = arith.addf %[[FIRST]], %{{.*}} : vector<16xf32>
// CHECK: %[[OTHER:.*]] = arith.addf %[[SECOND]], %{{.*}} : vector<16xf32>
// CHECK: vector.store %[[SUM]], %{{.*}} : memref<6400xf32{{.*}}>, vector<16xf32>
// CHECK: vector.store %[[OTHER]], %{{.*}} : memref<6400xf32{{.*}}>, vector<16xf32>
// CHECK: scf.yield %[[SUM]], %[[OTHER]]
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#others = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @sums(%x: memref<8x50x16xf32>, %last: memref<8x16xf32>, %y: memref<8x50x16xf32>) {
  linalg.generic {indexing_maps = [#all, #others, #all], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : memref<8x50x16xf32>) outs(%last, %y : memref<8x16xf32>, memref<8x50x16xf32>) {
  ^bb0(%item: f32, %before: f32, %old: f32):
    %sum = arith.addf %before, %item : f32
    linalg.yield %sum, %sum : f32, f32
  }
  return
}
