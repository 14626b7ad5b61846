// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" "--codegen-emit-kernels=shard=channel processes=2" --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx2,+fma" "--codegen-emit-kernels=shard=batch" --split-input-file | FileCheck %s --check-prefix=BATCH
// RUN: not skriptnd-opt %s --codegen-emit-kernels=shard=rows 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: nothing is shared along `rows`; expected `channel` or `batch`

// By channels: the product is called for the units of this process, and gathered; its epilogue belongs to it. What has no weights, the
// second operation, every process computes. Of the weights, each prepares a part. By the batch: nothing is gathered but the result.

#of_x = affine_map<(m, n, k) -> (m, k)>
#of_w = affine_map<(m, n, k) -> (n floordiv 8, k, n mod 8)>
#of_h = affine_map<(m, n, k) -> (m, n)>
#whole = affine_map<(m, n) -> (m, n)>
#packed = affine_map<(p, k, n) -> (p, k, n)>
#filter = affine_map<(p, k, n) -> (p * 8 + n, k)>

// CHECK: module attributes {{.*}}skriptnd.sharded = {along = "channel", processes = 2 : i64}
// CHECK-LABEL: func.func @run
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<6x16xf32>, %{{[a-z0-9]+}}: memref<64x16xf32>, %[[W:[a-z0-9]+]]: memref<8x16x8xf32>
// CHECK: %[[H:.*]] = memref.alloc() : memref<6x64xf32>
// CHECK: %[[RANK:.*]] = call @skriptnd.rank() : () -> index
// CHECK: %[[PROCESSES:.*]] = call @skriptnd.processes() : () -> index
// CHECK: arith.muli %{{.*}}, %[[RANK]]
// CHECK: arith.divui %{{.*}}, %[[PROCESSES]]
// CHECK: call @[[$PRODUCT:kernel_[0-9]]]_shared(%[[H]], {{.*}}%[[X]], %[[W]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: call @skriptnd.gather_1(%[[H]], %{{.*}}) : (memref<6x64xf32>, index) -> ()
// CHECK-NOT: gather
// CHECK-NOT: _shared(
// CHECK: return
// CHECK-LABEL: func.func @prepare
// CHECK: call @skriptnd.rank()
// CHECK: call @kernel_{{[0-9]}}({{.*}}, index, index) -> ()
// CHECK: func.func private @[[$PRODUCT]]_shared({{.*}}index, index, index, !llvm.ptr) attributes {skriptnd.share, skriptnd.shared = "[[$PRODUCT]]"}
// CHECK: func.func private @skriptnd.rank() -> index
// CHECK: func.func private @skriptnd.gather_1(memref<6x64xf32>, index) attributes {skriptnd.gather = array<i64: 4, {{[0-9]+}}, 64, 1, 6, 64>}

// BATCH: module attributes {{.*}}skriptnd.sharded = {along = "batch", processes = 0 : i64}
// BATCH-LABEL: func.func @run
// BATCH-SAME: %[[Y:[a-z0-9]+]]: memref<6x64xf32>
// BATCH-COUNT-2: _shared(
// BATCH: call @skriptnd.gather_1(%[[Y]], %{{.*}})
// BATCH-NEXT: return
// BATCH-LABEL: func.func @prepare
// BATCH-NOT: skriptnd.rank()
// BATCH: func.func private @skriptnd.gather_1(memref<6x64xf32>, index) attributes {skriptnd.gather = array<i64: 4, 1, 6, 64, 64, 1>}
module attributes {
    skriptnd.interface = {
      graph = "G",
      arguments = [{name = "x", role = "input", type = tensor<6x16xf32>}, {name = "w", role = "variable", type = tensor<64x16xf32>}],
      results = [{name = "y", role = "output", type = tensor<6x64xf32>}]},
    skriptnd.prepared = [tensor<8x16x8xf32>]} {
  func.func @run(%x: memref<6x16xf32>, %w: memref<64x16xf32>, %p: memref<8x16x8xf32>, %y: memref<6x64xf32>) {
    %h = memref.alloc() : memref<6x64xf32>
    %zero = arith.constant 0.0 : f32
    linalg.generic {indexing_maps = [#whole], iterator_types = ["parallel", "parallel"]}
        outs(%h : memref<6x64xf32>) attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"} {
    ^bb0(%o: f32):
      linalg.yield %zero : f32
    }
    linalg.generic {indexing_maps = [#of_x, #of_w, #of_h], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %p : memref<6x16xf32>, memref<8x16x8xf32>) outs(%h : memref<6x64xf32>)
        attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main"} {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %product = arith.mulf %a, %b : f32
      %next = arith.addf %sum, %product : f32
      linalg.yield %next : f32
    }
    linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%h : memref<6x64xf32>) outs(%y : memref<6x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = math.absf %a : f32
      linalg.yield %0 : f32
    }
    return
  }
  func.func @prepare(%w: memref<64x16xf32>, %p: memref<8x16x8xf32>) {
    linalg.generic {indexing_maps = [#filter, #packed], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%w : memref<64x16xf32>) outs(%p : memref<8x16x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    }
    return
  }
}
