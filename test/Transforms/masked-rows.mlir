// Rows that fill no tile, inside of the loop over masked vectors: the mask is that of the vectors.
// RUN: rm -rf %t && mkdir %t
// RUN: skriptnd-opt %s "--codegen-set-target=triple=aarch64-unknown-linux-gnu features=+sve" --codegen-emit-kernels='dump-schedules="%/t/taken"' -o %t/taken.mlir
// RUN: mkdir %t/given && sed -n 's/^kernel .*/&\n  loop d1 by [4] in vectors of [4] masked;\n  loop d0 by 2;\n  reduce d2;\n}/p' %t/taken/*.schedule > %t/given/product.schedule
// RUN: skriptnd-opt %s "--codegen-set-target=triple=aarch64-unknown-linux-gnu features=+sve" --codegen-emit-kernels='schedules="%/t/given"' | FileCheck %s

// CHECK-LABEL: func.func private @kernel_0
// CHECK: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<[4]xi1>
// CHECK-NOT: vector.create_mask
// CHECK: vector.maskedstore %{{.*}}[%{{.*}}], %[[MASK]]
// CHECK: vector.maskedstore %{{.*}}[%{{.*}}], %[[MASK]]
// CHECK: vector.maskedstore %{{.*}}[%{{.*}}], %[[MASK]]
// CHECK-NOT: vector.create_mask
// CHECK: return
#map = affine_map<(m, n) -> (m, n)>
func.func @product(%x: memref<5x64xf32>, %w: memref<64x7xf32>, %y: memref<5x7xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(m, n) -> ()>, #map], iterator_types = ["parallel", "parallel"]}
      ins(%zero : f32) outs(%y : memref<5x7xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"} {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<5x64xf32>, memref<64x7xf32>) outs(%y : memref<5x7xf32>)
      attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "main"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
