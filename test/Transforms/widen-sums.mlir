// RUN: skriptnd-opt %s --codegen-widen-sums --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s "--linalg-to-llvm=triple=x86_64-unknown-linux-gnu cpu=x86-64-v3 exact=true" --split-input-file -o %t.exact
// RUN: not grep -q llvm.intr.fma %t.exact

// Terms have 32 bits, the sum 64: what it begins with is extended, and it is rounded at the end.

// CHECK-LABEL: @product
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x6xf32>) outs(%{{.*}} : tensor<4x6xf64>)
// CHECK: arith.extf
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"{{.*}} outs(%[[WIDE]] : tensor<4x6xf64>)
// CHECK: %[[TERM:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: %[[LONG:.*]] = arith.extf %[[TERM]] : f32 to f64
// CHECK: arith.addf %{{.*}}, %[[LONG]] : f64
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x6xf64>)
// CHECK: arith.truncf
func.func @product(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<4x6xf32>) -> (tensor<4x6xf32> {skriptnd.output = "y"}) {
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %old: f32):
    %term = arith.mulf %p, %q : f32
    %new = arith.addf %old, %term : f32
    linalg.yield %new : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// What goes on with a sum goes on with all its bits, also where a condition holds; one addition alone is rounded as in 32 bits.

// CHECK-LABEL: @twice
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}}"reduction"{{.*}} outs(%{{.*}} : tensor<4xf64>)
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} outs(%[[FIRST]] : tensor<4xf64>)
// CHECK: arith.select %{{.*}} : f64
// CHECK: arith.truncf
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.addf %{{.*}} : f32
func.func @twice(%a: tensor<4x5xf32>, %c: tensor<4xf32>) -> (tensor<4xf32> {skriptnd.output = "y"}, tensor<4xf32> {skriptnd.output = "z"}) {
  %first = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : tensor<4x5xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%p: f32, %old: f32):
    %new = arith.addf %old, %p : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %second = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : tensor<4x5xf32>) outs(%first : tensor<4xf32>) {
  ^bb0(%p: f32, %old: f32):
    %zero = arith.constant 0.0 : f32
    %is_less = arith.cmpf olt, %p, %zero : f32
    %more = arith.addf %old, %p : f32
    %new = arith.select %is_less, %more, %old : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %third = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%c : tensor<4xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%p: f32, %old: f32):
    %new = arith.addf %old, %p : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  return %second, %third : tensor<4xf32>, tensor<4xf32>
}

// -----

// Where the accumulator is used otherwise, or the greatest is looked for, there is no sum.

// CHECK-LABEL: @others
// CHECK-NOT: f64
func.func @others(%a: tensor<4x5xf32>, %c: tensor<4xf32>) -> (tensor<4xf32> {skriptnd.output = "y"}, tensor<4xf32> {skriptnd.output = "z"}) {
  %squared = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : tensor<4x5xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%p: f32, %old: f32):
    %square = arith.mulf %old, %old : f32
    %new = arith.addf %square, %p : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  %greatest = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a : tensor<4x5xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%p: f32, %old: f32):
    %new = arith.maximumf %old, %p : f32
    linalg.yield %new : f32
  } -> tensor<4xf32>
  return %squared, %greatest : tensor<4xf32>, tensor<4xf32>
}
