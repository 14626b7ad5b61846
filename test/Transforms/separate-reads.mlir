// RUN: skriptnd-opt %s --codegen-separate-reads | FileCheck %s

// An argument that many operations read is read from its memory, by each of them; one that few read stays as it is.
// CHECK-LABEL: func.func @many
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[A:.*]]: tensor<4xf32>)
// CHECK: %[[MEMORY:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK: %[[FIRST:.*]] = bufferization.to_tensor %[[MEMORY]] restrict
// CHECK: linalg.generic {{.*}} ins(%[[FIRST]], %[[A]] :
// CHECK: %[[SECOND:.*]] = bufferization.to_tensor %[[MEMORY]] restrict
// CHECK: linalg.generic {{.*}} ins(%[[SECOND]], %{{.*}} :
// CHECK-NOT: ins(%[[X]]
// CHECK: return
func.func @many(%x: tensor<4xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %e0 = tensor.empty() : tensor<4xf32>
  %y0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %a : tensor<4xf32>, tensor<4xf32>) outs(%e0 : tensor<4xf32>) {
  ^bb0(%a0: f32, %b0: f32, %c0: f32):
    %s0 = arith.addf %a0, %b0 : f32
    linalg.yield %s0 : f32
  } -> tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %y1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y0 : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%a1: f32, %b1: f32, %c1: f32):
    %s1 = arith.addf %a1, %b1 : f32
    linalg.yield %s1 : f32
  } -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %y2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y1 : tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<4xf32>) {
  ^bb0(%a2: f32, %b2: f32, %c2: f32):
    %s2 = arith.addf %a2, %b2 : f32
    linalg.yield %s2 : f32
  } -> tensor<4xf32>
  %e3 = tensor.empty() : tensor<4xf32>
  %y3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y2 : tensor<4xf32>, tensor<4xf32>) outs(%e3 : tensor<4xf32>) {
  ^bb0(%a3: f32, %b3: f32, %c3: f32):
    %s3 = arith.addf %a3, %b3 : f32
    linalg.yield %s3 : f32
  } -> tensor<4xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %y4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y3 : tensor<4xf32>, tensor<4xf32>) outs(%e4 : tensor<4xf32>) {
  ^bb0(%a4: f32, %b4: f32, %c4: f32):
    %s4 = arith.addf %a4, %b4 : f32
    linalg.yield %s4 : f32
  } -> tensor<4xf32>
  %e5 = tensor.empty() : tensor<4xf32>
  %y5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y4 : tensor<4xf32>, tensor<4xf32>) outs(%e5 : tensor<4xf32>) {
  ^bb0(%a5: f32, %b5: f32, %c5: f32):
    %s5 = arith.addf %a5, %b5 : f32
    linalg.yield %s5 : f32
  } -> tensor<4xf32>
  %e6 = tensor.empty() : tensor<4xf32>
  %y6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y5 : tensor<4xf32>, tensor<4xf32>) outs(%e6 : tensor<4xf32>) {
  ^bb0(%a6: f32, %b6: f32, %c6: f32):
    %s6 = arith.addf %a6, %b6 : f32
    linalg.yield %s6 : f32
  } -> tensor<4xf32>
  %e7 = tensor.empty() : tensor<4xf32>
  %y7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y6 : tensor<4xf32>, tensor<4xf32>) outs(%e7 : tensor<4xf32>) {
  ^bb0(%a7: f32, %b7: f32, %c7: f32):
    %s7 = arith.addf %a7, %b7 : f32
    linalg.yield %s7 : f32
  } -> tensor<4xf32>
  %e8 = tensor.empty() : tensor<4xf32>
  %y8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y7 : tensor<4xf32>, tensor<4xf32>) outs(%e8 : tensor<4xf32>) {
  ^bb0(%a8: f32, %b8: f32, %c8: f32):
    %s8 = arith.addf %a8, %b8 : f32
    linalg.yield %s8 : f32
  } -> tensor<4xf32>
  %e9 = tensor.empty() : tensor<4xf32>
  %y9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y8 : tensor<4xf32>, tensor<4xf32>) outs(%e9 : tensor<4xf32>) {
  ^bb0(%a9: f32, %b9: f32, %c9: f32):
    %s9 = arith.addf %a9, %b9 : f32
    linalg.yield %s9 : f32
  } -> tensor<4xf32>
  %e10 = tensor.empty() : tensor<4xf32>
  %y10 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y9 : tensor<4xf32>, tensor<4xf32>) outs(%e10 : tensor<4xf32>) {
  ^bb0(%a10: f32, %b10: f32, %c10: f32):
    %s10 = arith.addf %a10, %b10 : f32
    linalg.yield %s10 : f32
  } -> tensor<4xf32>
  %e11 = tensor.empty() : tensor<4xf32>
  %y11 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y10 : tensor<4xf32>, tensor<4xf32>) outs(%e11 : tensor<4xf32>) {
  ^bb0(%a11: f32, %b11: f32, %c11: f32):
    %s11 = arith.addf %a11, %b11 : f32
    linalg.yield %s11 : f32
  } -> tensor<4xf32>
  %e12 = tensor.empty() : tensor<4xf32>
  %y12 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y11 : tensor<4xf32>, tensor<4xf32>) outs(%e12 : tensor<4xf32>) {
  ^bb0(%a12: f32, %b12: f32, %c12: f32):
    %s12 = arith.addf %a12, %b12 : f32
    linalg.yield %s12 : f32
  } -> tensor<4xf32>
  %e13 = tensor.empty() : tensor<4xf32>
  %y13 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y12 : tensor<4xf32>, tensor<4xf32>) outs(%e13 : tensor<4xf32>) {
  ^bb0(%a13: f32, %b13: f32, %c13: f32):
    %s13 = arith.addf %a13, %b13 : f32
    linalg.yield %s13 : f32
  } -> tensor<4xf32>
  %e14 = tensor.empty() : tensor<4xf32>
  %y14 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y13 : tensor<4xf32>, tensor<4xf32>) outs(%e14 : tensor<4xf32>) {
  ^bb0(%a14: f32, %b14: f32, %c14: f32):
    %s14 = arith.addf %a14, %b14 : f32
    linalg.yield %s14 : f32
  } -> tensor<4xf32>
  %e15 = tensor.empty() : tensor<4xf32>
  %y15 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y14 : tensor<4xf32>, tensor<4xf32>) outs(%e15 : tensor<4xf32>) {
  ^bb0(%a15: f32, %b15: f32, %c15: f32):
    %s15 = arith.addf %a15, %b15 : f32
    linalg.yield %s15 : f32
  } -> tensor<4xf32>
  %e16 = tensor.empty() : tensor<4xf32>
  %y16 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y15 : tensor<4xf32>, tensor<4xf32>) outs(%e16 : tensor<4xf32>) {
  ^bb0(%a16: f32, %b16: f32, %c16: f32):
    %s16 = arith.addf %a16, %b16 : f32
    linalg.yield %s16 : f32
  } -> tensor<4xf32>
  return %y16 : tensor<4xf32>
}
