// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=haswell" --linalg-generalize-named-ops --codegen-relax-powers --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s --codegen-set-target=triple=aarch64-unknown-linux-gnu --linalg-generalize-named-ops --codegen-relax-powers --split-input-file | FileCheck %s --check-prefix=ARM

// The greatest of a row is used with the sum of the row only; where one instruction tells what is no number, nothing is gained.
// CHECK-LABEL: func.func @softmax
// CHECK: arith.maximumf {{.*}} fastmath<nnan>
// CHECK: arith.divf {{.*}} fastmath<arcp>
// ARM-LABEL: func.func @softmax
// ARM: arith.maximumf
// ARM-NOT: fastmath<nnan>
// ARM: arith.divf {{.*}} fastmath<arcp>
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @softmax(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> tensor<20x?xf32> {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts : tensor<20x?xf32>
}

// -----

// The logarithm of a sum is no number where the sum is none.
// CHECK-LABEL: func.func @log_softmax
// CHECK: arith.maximumf {{.*}} fastmath<nnan>
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @log_softmax(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> tensor<20x?xf32> {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %logs = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%sums : tensor<20xf32>) outs(%zeros : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.log %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%less, %logs : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts : tensor<20x?xf32>
}

// -----

// What is no number would be missed in the greatest elements that are given.
// CHECK-LABEL: func.func @given
// CHECK-NOT: fastmath<nnan>
// CHECK: arith.divf {{.*}} fastmath<arcp>
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @given(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> (tensor<20x?xf32>, tensor<20xf32>) {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts, %most : tensor<20x?xf32>, tensor<20xf32>
}

// -----

// It would be in exponentials, too, which don't know the sum.
// CHECK-LABEL: func.func @powers
// CHECK-NOT: fastmath<nnan>
// CHECK: arith.divf {{.*}} fastmath<arcp>
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @powers(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> (tensor<20x?xf32>, tensor<20x?xf32>) {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts, %powers : tensor<20x?xf32>, tensor<20x?xf32>
}

// -----

// Others are no sums of these exponentials.
// CHECK-LABEL: func.func @others
// CHECK-NOT: fastmath
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @others(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> (tensor<20x?xf32>, tensor<20xf32>) {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %zeros : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts, %sums : tensor<20x?xf32>, tensor<20xf32>
}

// -----

// What a search begins with may be greater than all of the row.
// CHECK-LABEL: func.func @begun
// CHECK-NOT: fastmath
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @begun(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> tensor<20x?xf32> {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%given : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts : tensor<20x?xf32>
}

// -----

// Sums of exponentials of other differences may be so small that they have no reciprocal.
// CHECK-LABEL: func.func @given_less
// CHECK-NOT: fastmath
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @given_less(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> tensor<20x?xf32> {
  %infinite = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %given : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts : tensor<20x?xf32>
}

// -----

// So may zero.
// CHECK-LABEL: func.func @from_zero
// CHECK-NOT: fastmath
// CHECK: return
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>
func.func @from_zero(%x: tensor<20x?xf32>, %empty: tensor<20x?xf32>, %zeros: tensor<20xf32>, %given: tensor<20xf32>) -> tensor<20x?xf32> {
  %infinite = arith.constant 0.0 : f32
  %least = linalg.fill ins(%infinite : f32) outs(%given : tensor<20xf32>) -> tensor<20xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x?xf32>) outs(%least : tensor<20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<20xf32>
  %less = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
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
  %parts = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<20x?xf32>, tensor<20xf32>) outs(%empty : tensor<20x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<20x?xf32>
  return %parts : tensor<20x?xf32>
}
