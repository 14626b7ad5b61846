// RUN: skriptnd-opt %s --codegen-divide-products --canonicalize --split-input-file | FileCheck %s

// The product of exponentials is divided by their sums, rather than these before it.
// CHECK: #[[$SUMS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @attention
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%{{[^,]*}} : tensor<20x?xf32>) outs(%{{[^,]*}} : tensor<20x?xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} ins(%[[POWERS]], %{{.*}} : tensor<20x?xf32>, tensor<?x8xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$SUMS]], #{{.*}}], {{.*}} ins(%[[PRODUCT]], %{{.*}} : tensor<20x8xf32>, tensor<20xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.divf
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#sum = affine_map<(m, n, k) -> (m, n)>
func.func @attention(%scores: tensor<20x?xf32>, %most: tensor<20xf32>, %v: tensor<?x8xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>,
    %begin: tensor<20x8xf32>) -> tensor<20x8xf32> {
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%scores, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  %powers = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%less : tensor<20x?xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%powers : tensor<20x?xf32>) outs(%zeros : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %weights = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  %y = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<20x?xf32>, tensor<?x8xf32>) outs(%begin : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<20x8xf32>
  return %y : tensor<20x8xf32>
}

// -----

// Where the weights are needed as well, or what is divided may be greater than its sum, they are divided before.
// CHECK-LABEL: func.func @others
// CHECK: arith.divf
// CHECK: arith.mulf
// CHECK-NOT: arith.divf
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#sum = affine_map<(m, n, k) -> (m, n)>
func.func @others(%powers: tensor<20x32xf32>, %zeros: tensor<20xf32>, %v: tensor<32x8xf32>, %empty: tensor<20x32xf32>, %begin: tensor<20x8xf32>) -> tensor<20x8xf32> {
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%powers : tensor<20x32xf32>) outs(%zeros : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %weights = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x32xf32>, tensor<20xf32>) outs(%empty : tensor<20x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x32xf32>
  %y = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<20x32xf32>, tensor<32x8xf32>) outs(%begin : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<20x8xf32>
  return %y : tensor<20x8xf32>
}
