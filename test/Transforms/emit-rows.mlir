// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s

// What a kernel is stands on its operations; memory may not allow it.

// The largest of each row, the differences to it, and their sum: one loop over the rows, in which what lies between has room
// for one row, also where only a run knows how many rows there are.
// CHECK-LABEL: func.func @steps
// CHECK-DAG: memref.alloc() : memref<1xf32>
// CHECK-DAG: memref.alloc() : memref<64xf32>
// CHECK: call @kernel_0
// CHECK-NEXT: return
// CHECK-LABEL: func.func private @kernel_0
// CHECK: scf.for
// CHECK: arith.maximumf %{{.*}} : f32
// CHECK: arith.subf
// CHECK: arith.addf %{{.*}} : f32
// CHECK: return
// CHECK-NOT: func.func
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @steps(%x: memref<?x64xf32>, %n: index, %y: memref<?xf32>) {
  %most = memref.alloc(%n) : memref<?xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%low : f32) outs(%most : memref<?xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x64xf32>) outs(%most : memref<?xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  }
  %rest = memref.alloc(%n) : memref<?x64xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : memref<?x64xf32>, memref<?xf32>) outs(%rest : memref<?x64xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%zero : f32) outs(%y : memref<?xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%rest : memref<?x64xf32>) outs(%y : memref<?xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Rows of one are the columns of the other, whatever the operations say: a sum needs all of what the other one writes.
// CHECK-LABEL: func.func @across
// CHECK: call @kernel_0
// CHECK: call @kernel_1
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @across(%x: memref<64x64xf32>, %s: memref<64xf32>, %y: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x64xf32>) outs(%s : memref<64xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64x64xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The same rows, but each one written into the place of the one before, which is still to be read.
// CHECK-LABEL: func.func @shifted
// CHECK: call @kernel_0
// CHECK: call @kernel_1
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @shifted(%x: memref<9x64xf32>, %s: memref<8xf32>) {
  %from = memref.subview %x[1, 0] [8, 64] [1, 1] : memref<9x64xf32> to memref<8x64xf32, strided<[64, 1], offset: 64>>
  %to = memref.subview %x[0, 0] [8, 64] [1, 1] : memref<9x64xf32> to memref<8x64xf32, strided<[64, 1]>>
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%from : memref<8x64xf32, strided<[64, 1], offset: 64>>) outs(%s : memref<8xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<8xf32>) outs(%to : memref<8x64xf32, strided<[64, 1]>>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// What stands between reads all sums, so these are there before.
// CHECK-LABEL: func.func @between
// CHECK-COUNT-3: call @kernel_
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @between(%x: memref<64x64xf32>, %s: memref<64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x64xf32>) outs(%s : memref<64xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<64x64xf32>, memref<64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<64x64xf32>, memref<64xf32>) outs(%z : memref<64x64xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Blocks of 16 rows, the last of which has 8: what lies between has room for 16 rows, which is too much for a thread's stack, so that each of
// three ranges has a part.
// CHECK-LABEL: func.func @run
// CHECK: %[[PARTS:.*]] = memref.alloc() {skriptnd.parts = 32768 : i64} : memref<98304xf32>
// CHECK: call @kernel_0_shared(%{{.*}}, %[[PARTS]],
// CHECK: func.func private @kernel_0(%[[ALL:[a-z0-9]+]]: memref<98304xf32>, {{.*}}%[[RANGE:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: index)
// CHECK: %[[BEGIN:.*]] = arith.muli %[[RANGE]], %{{.*}} : index
// CHECK: memref.reinterpret_cast %[[ALL]] to offset: [%[[BEGIN]]], sizes: [32768], strides: [1]
// CHECK: scf.for {{.*}} step %c16
// CHECK: scf.if
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @run(%x: memref<40x2048xf32>, %y: memref<40xf32>) {
  %twice = memref.alloc() : memref<40x2048xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<40x2048xf32>) outs(%twice : memref<40x2048xf32>)
      attrs = {skriptnd.block = 16 : i64, skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%twice : memref<40x2048xf32>) outs(%y : memref<40xf32>)
      attrs = {skriptnd.block = 16 : i64, skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  }
  return
}
