// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s "--codegen-set-target=triple=aarch64-unknown-none-elf" --codegen-emit-kernels --canonicalize --split-input-file | FileCheck %s --check-prefix=BARE

// What takes long in a run is shared among threads: the run is given them, and calls a function in the place of the kernel, which is
// told how many units there are and into how many ranges they are cut. The kernel does a span of them.
// CHECK-LABEL: func.func @run
// CHECK-SAME: %[[THREADS:[a-z0-9]+]]: !llvm.ptr)
// CHECK: call @kernel_0_shared({{.*}}, %{{.*}}, %{{.*}}, %[[THREADS]])
// CHECK: func.func private @kernel_0_shared({{.*}}index, index, !llvm.ptr) attributes {skriptnd.shared = "kernel_0"}
// CHECK: func.func private @kernel_0({{.*}}, %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index)
// CHECK: arith.muli %[[FIRST]]
// CHECK: scf.for
// BARE-NOT: kernel_0_shared
// BARE-NOT: !llvm.ptr
func.func @run(%a: memref<65536xf32>, %y: memref<65536xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<65536xf32>) outs(%y : memref<65536xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = math.sqrt %x : f32
    %2 = arith.divf %x, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// Too little to share.
// CHECK-LABEL: func.func @run
// CHECK: call @kernel_0(%{{.*}}, %{{.*}}) :
// CHECK-NOT: kernel_0_shared
func.func @run(%a: memref<64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.mulf %x, %x : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What is prepared is prepared by one thread.
// CHECK-LABEL: func.func @prepare
// CHECK: call @kernel_0(%{{.*}}, %{{.*}}) :
// CHECK-NOT: kernel_0_shared
func.func @prepare(%a: memref<65536xf32>, %y: memref<65536xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<65536xf32>) outs(%y : memref<65536xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = math.sqrt %x : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// How much there is, only a run knows: the ranges follow from the extents.
// CHECK-LABEL: func.func @run
// CHECK: arith.divui
// CHECK: arith.minsi
// CHECK: call @kernel_0_shared
func.func @run(%a: memref<?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.mulf %x, %x : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What lies between the parts of a row is each thread's own.
// CHECK-LABEL: func.func @run
// CHECK-NOT: memref.alloc()
// CHECK: call @kernel_0_shared
// CHECK: func.func private @kernel_0({{.*}}) attributes {passthrough = ["noinline", ["probe-stack", "inline-asm"]]}
// CHECK-DAG: memref.alloca() {alignment = 64 : i64} : memref<4096xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @run(%x: memref<512x4096xf32>, %y: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  %rest = memref.alloc() : memref<512x4096xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<512x4096xf32>) outs(%rest : memref<512x4096xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%zero : f32) outs(%y : memref<512xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%rest : memref<512x4096xf32>) outs(%y : memref<512xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  }
  return
}
