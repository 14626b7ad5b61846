// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=x86-64-v3" --codegen-scale-products --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=cascadelake" --codegen-scale-products --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=cascadelake" --codegen-scale-products --codegen-multiply-narrow --canonicalize --cse | FileCheck %s --check-prefix=INTEGERS

#id = affine_map<(a, b) -> (a, b)>
#column = affine_map<(a, b) -> (b)>
#none = affine_map<(a, b) -> ()>
#left = affine_map<(a, b, c) -> (a, c)>
#right = affine_map<(a, b, c) -> (c, b)>
#out = affine_map<(a, b, c) -> (a, b)>

// The factors are a limited tensor of steps of 0.5 and a matrix of bytes with a scale for each column; the sum is of whole
// numbers, and scaled by both.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[X:.*]]: tensor<4x64xi64>, %[[W:.*]]: tensor<64x32xi8>, %[[S:.*]]: tensor<32xf32>
// AVX2: arith.trunci %{{.*}} : i64 to i16
// VNNI: arith.trunci %{{.*}} : i64 to i8
// AVX2: arith.sitofp %{{.*}} : i16 to f32
// VNNI: arith.uitofp %{{.*}} : i8 to f32
// AVX2: arith.extsi %{{.*}} : i8 to i16
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %{{.*}}, %{{.*}}, %[[S]] :
// CHECK: %[[SCALE:.*]] = arith.mulf
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[SCALE]]
// CHECK: arith.addf %{{.*}}, %[[SCALED]]

// INTEGERS-LABEL: func.func @product(
// INTEGERS: arith.extui %{{.*}} : i8 to i32
// INTEGERS: arith.extsi %{{.*}} : i8 to i32
// INTEGERS: arith.muli %{{.*}} : i32
// INTEGERS: arith.addi %{{.*}} : i32
// INTEGERS: arith.sitofp %{{.*}} : i32 to f32
func.func @product(%x: tensor<4x64xi64>, %w: tensor<64x32xi8>, %s: tensor<32xf32>, %start: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %half = arith.constant dense<0.5> : tensor<f32>
  %empty = tensor.empty() : tensor<4x64xf32>
  %left = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %half : tensor<4x64xi64>, tensor<f32>) outs(%empty : tensor<4x64xf32>) {
    ^bb0(%e: i64, %scale: f32, %o: f32):
      %low = arith.maxsi %e, %least : i64
      %limited = arith.minsi %low, %most : i64
      %real = arith.sitofp %limited : i64 to f32
      %scaled = arith.mulf %real, %scale : f32
      linalg.yield %scaled : f32
  } -> tensor<4x64xf32>
  %wide = tensor.empty() : tensor<64x32xf32>
  %right = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<64x32xi8>, tensor<32xf32>) outs(%wide : tensor<64x32xf32>) {
    ^bb0(%e: i8, %scale: f32, %o: f32):
      %real = arith.sitofp %e : i8 to f32
      %scaled = arith.mulf %scale, %real : f32
      linalg.yield %scaled : f32
  } -> tensor<64x32xf32>
  %product = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left, %right : tensor<4x64xf32>, tensor<64x32xf32>) outs(%start : tensor<4x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %sum = arith.addf %o, %m : f32
      linalg.yield %sum : f32
  } -> tensor<4x32xf32>
  return %product : tensor<4x32xf32>
}

// Scales of what is summed over can't be moved, nor what is not limited; both stay.
// CHECK-LABEL: func.func @stays(
// CHECK-NOT: i16
// CHECK-NOT: trunci
// CHECK: return
func.func @stays(%x: tensor<4x64xi64>, %y: tensor<4x64xi8>, %s: tensor<64xf32>, %w: tensor<64x32xi8>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x64xf32>
  %any = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x64xi64>) outs(%empty : tensor<4x64xf32>) {
    ^bb0(%e: i64, %o: f32):
      %real = arith.sitofp %e : i64 to f32
      linalg.yield %real : f32
  } -> tensor<4x64xf32>
  %summed = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %s : tensor<4x64xi8>, tensor<64xf32>) outs(%empty : tensor<4x64xf32>) {
    ^bb0(%e: i8, %scale: f32, %o: f32):
      %real = arith.sitofp %e : i8 to f32
      %scaled = arith.mulf %scale, %real : f32
      linalg.yield %scaled : f32
  } -> tensor<4x64xf32>
  %wide = tensor.empty() : tensor<64x32xf32>
  %right = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<64x32xi8>) outs(%wide : tensor<64x32xf32>) {
    ^bb0(%e: i8, %o: f32):
      %real = arith.sitofp %e : i8 to f32
      linalg.yield %real : f32
  } -> tensor<64x32xf32>
  %result = tensor.empty() : tensor<4x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%result : tensor<4x32xf32>) -> tensor<4x32xf32>
  %first = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%any, %right : tensor<4x64xf32>, tensor<64x32xf32>) outs(%start : tensor<4x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %sum = arith.addf %o, %m : f32
      linalg.yield %sum : f32
  } -> tensor<4x32xf32>
  %second = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%summed, %right : tensor<4x64xf32>, tensor<64x32xf32>) outs(%start : tensor<4x32xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      %sum = arith.addf %o, %m : f32
      linalg.yield %sum : f32
  } -> tensor<4x32xf32>
  return %first, %second : tensor<4x32xf32>, tensor<4x32xf32>
}
