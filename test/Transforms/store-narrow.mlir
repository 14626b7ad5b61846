// RUN: skriptnd-opt %s --codegen-store-narrow --canonicalize --cse | FileCheck %s
// RUN: skriptnd-opt %s --codegen-narrow-accumulators --canonicalize --cse | FileCheck %s --check-prefix=SUMS

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>

// A tensor of numbers from 0 to 200 is stored in bytes without a sign; what is given to the caller keeps its form.
// CHECK-LABEL: func.func @limited(
// CHECK: arith.minsi
// CHECK: arith.trunci %{{.*}} : i64 to i8
// CHECK: arith.extui %{{.*}} : i8 to i64
// CHECK: arith.muli
// CHECK-NOT: trunci
// CHECK: return %{{.*}} : tensor<4x8xi64>
func.func @limited(%x: tensor<4x8xi64>) -> tensor<4x8xi64> {
  %least = arith.constant 0 : i64
  %most = arith.constant 200 : i64
  %three = arith.constant 3 : i64
  %empty = tensor.empty() : tensor<4x8xi64>
  %limited = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi64>) outs(%empty : tensor<4x8xi64>) {
    ^bb0(%e: i64, %o: i64):
      %a = arith.maxsi %e, %least : i64
      %b = arith.minsi %a, %most : i64
      linalg.yield %b : i64
  } -> tensor<4x8xi64>
  %times = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%limited : tensor<4x8xi64>) outs(%empty : tensor<4x8xi64>) {
    ^bb0(%e: i64, %o: i64):
      %m = arith.muli %e, %three : i64
      linalg.yield %m : i64
  } -> tensor<4x8xi64>
  return %times : tensor<4x8xi64>
}

// What may be any number stays.
// CHECK-LABEL: func.func @any(
// CHECK-NOT: trunci
// CHECK: return
// SUMS-LABEL: func.func @any(
// SUMS-NOT: trunci
// SUMS: return
func.func @any(%x: tensor<4x8xi64>) -> tensor<4xi64> {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<4xi64>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a) -> ()>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%zero : i64) outs(%empty : tensor<4xi64>) {
    ^bb0(%e: i64, %o: i64):
      linalg.yield %e : i64
  } -> tensor<4xi64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi64>) outs(%zeros : tensor<4xi64>) {
    ^bb0(%e: i64, %o: i64):
      %s = arith.addi %o, %e : i64
      linalg.yield %s : i64
  } -> tensor<4xi64>
  return %sum : tensor<4xi64>
}

// A sum of 8 bytes needs 32 bits, the greatest of them 8, which are compared as what they are.
// SUMS-LABEL: func.func @reduced(
// SUMS: arith.addi %{{.*}} : i32
// SUMS: arith.maxui %{{.*}} : i8
// SUMS: arith.maxsi %{{.*}} : i8
func.func @reduced(%x: tensor<4x8xi8>, %least: i64) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<4xi64>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a) -> ()>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%zero : i64) outs(%empty : tensor<4xi64>) {
    ^bb0(%e: i64, %o: i64):
      linalg.yield %e : i64
  } -> tensor<4xi64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi8>) outs(%zeros : tensor<4xi64>) {
    ^bb0(%e: i8, %o: i64):
      %w = arith.extsi %e : i8 to i64
      %s = arith.addi %o, %w : i64
      linalg.yield %s : i64
  } -> tensor<4xi64>
  %unsigned = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi8>) outs(%zeros : tensor<4xi64>) {
    ^bb0(%e: i8, %o: i64):
      %w = arith.extui %e : i8 to i64
      %s = arith.maxsi %o, %w : i64
      linalg.yield %s : i64
  } -> tensor<4xi64>
  %signed = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi8>) outs(%zeros : tensor<4xi64>) {
    ^bb0(%e: i8, %o: i64):
      %w = arith.extsi %e : i8 to i64
      %s = arith.maxsi %o, %w : i64
      linalg.yield %s : i64
  } -> tensor<4xi64>
  return %sum, %unsigned, %signed : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>
}

// What a maximum begins with is not among its results where each has terms: these are bytes, whatever it is. Without terms it is all there is.
// SUMS-LABEL: func.func @from_least(
// SUMS: arith.constant -128 : i8
// SUMS: arith.maxsi %{{.*}} : i8
// SUMS-NOT: arith.maxsi %{{.*}} : i8
// SUMS: arith.maxsi %{{.*}} : i64
// SUMS: return
func.func @from_least(%x: tensor<4x8xi8>, %none: tensor<4x0xi8>) -> (tensor<4xi64>, tensor<4xi64>) {
  %least = arith.constant -9223372036854775808 : i64
  %empty = tensor.empty() : tensor<4xi64>
  %begin = linalg.generic {indexing_maps = [affine_map<(a) -> ()>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%least : i64) outs(%empty : tensor<4xi64>) {
    ^bb0(%e: i64, %o: i64):
      linalg.yield %e : i64
  } -> tensor<4xi64>
  %greatest = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi8>) outs(%begin : tensor<4xi64>) {
    ^bb0(%e: i8, %o: i64):
      %w = arith.extsi %e : i8 to i64
      %s = arith.maxsi %o, %w : i64
      linalg.yield %s : i64
  } -> tensor<4xi64>
  %of_nothing = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%none : tensor<4x0xi8>) outs(%begin : tensor<4xi64>) {
    ^bb0(%e: i8, %o: i64):
      %w = arith.extsi %e : i8 to i64
      %s = arith.maxsi %o, %w : i64
      linalg.yield %s : i64
  } -> tensor<4xi64>
  return %greatest, %of_nothing : tensor<4xi64>, tensor<4xi64>
}

#pooled = affine_map<(a, b, c) -> (a, b * 2 + c)>
#window = affine_map<(a, b, c) -> (c)>
#result = affine_map<(a, b, c) -> (a, b)>

// The greatest of windows with a border is limited again: the border and what it begins with are bytes as well.
// CHECK-LABEL: func.func @pooled(
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i64
// CHECK-NOT: -9223372036854775808
// CHECK: tensor.yield %[[NONE]] : i64
// CHECK: arith.maxsi
// CHECK: return
func.func @pooled(%x: tensor<4x8xi8>) -> tensor<4x4xi64> {
  %least = arith.constant -9223372036854775808 : i64
  %limit = arith.constant 3 : i64
  %wide = tensor.empty() : tensor<4x8xi64>
  %extended = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi8>) outs(%wide : tensor<4x8xi64>) {
    ^bb0(%e: i8, %o: i64):
      %a = arith.extui %e : i8 to i64
      linalg.yield %a : i64
  } -> tensor<4x8xi64>
  %padded = tensor.pad %extended low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %least : i64
  } : tensor<4x8xi64> to tensor<4x9xi64>
  %empty = tensor.empty() : tensor<4x4xi64>
  %taps = tensor.empty() : tensor<3xf32>
  %begin = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%least : i64) outs(%empty : tensor<4x4xi64>) {
    ^bb0(%e: i64, %o: i64):
      linalg.yield %e : i64
  } -> tensor<4x4xi64>
  %greatest = linalg.generic {indexing_maps = [#pooled, #window, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %taps : tensor<4x9xi64>, tensor<3xf32>) outs(%begin : tensor<4x4xi64>) {
    ^bb0(%e: i64, %t: f32, %o: i64):
      %a = arith.maxsi %o, %e : i64
      linalg.yield %a : i64
  } -> tensor<4x4xi64>
  %limited = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%greatest : tensor<4x4xi64>) outs(%empty : tensor<4x4xi64>) {
    ^bb0(%e: i64, %o: i64):
      %a = arith.maxsi %e, %limit : i64
      linalg.yield %a : i64
  } -> tensor<4x4xi64>
  return %limited : tensor<4x4xi64>
}

// Without limits behind it, windows of nothing but border are seen.
// CHECK-LABEL: func.func @seen(
// CHECK: -9223372036854775808
// CHECK: return
func.func @seen(%x: tensor<4x8xi8>) -> tensor<4x4xi64> {
  %least = arith.constant -9223372036854775808 : i64
  %wide = tensor.empty() : tensor<4x8xi64>
  %extended = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi8>) outs(%wide : tensor<4x8xi64>) {
    ^bb0(%e: i8, %o: i64):
      %a = arith.extui %e : i8 to i64
      linalg.yield %a : i64
  } -> tensor<4x8xi64>
  %padded = tensor.pad %extended low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %least : i64
  } : tensor<4x8xi64> to tensor<4x9xi64>
  %empty = tensor.empty() : tensor<4x4xi64>
  %taps = tensor.empty() : tensor<3xf32>
  %begin = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%least : i64) outs(%empty : tensor<4x4xi64>) {
    ^bb0(%e: i64, %o: i64):
      linalg.yield %e : i64
  } -> tensor<4x4xi64>
  %greatest = linalg.generic {indexing_maps = [#pooled, #window, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %taps : tensor<4x9xi64>, tensor<3xf32>) outs(%begin : tensor<4x4xi64>) {
    ^bb0(%e: i64, %t: f32, %o: i64):
      %a = arith.maxsi %o, %e : i64
      linalg.yield %a : i64
  } -> tensor<4x4xi64>
  return %greatest : tensor<4x4xi64>
}

// The greatest of elements that there are is one of them, whatever it begins with below them all.
// SUMS-LABEL: func.func @found(
// SUMS-NOT: -9223372036854775808
// SUMS: arith.maxui %{{.*}} : i8
// SUMS-NOT: -9223372036854775808
// SUMS: return
func.func @found(%x: tensor<4x8xi8>) -> tensor<4xi64> {
  %least = arith.constant -9223372036854775808 : i64
  %empty = tensor.empty() : tensor<4xi64>
  %wide = tensor.empty() : tensor<4x8xi64>
  %extended = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xi8>) outs(%wide : tensor<4x8xi64>) {
    ^bb0(%e: i8, %o: i64):
      %a = arith.extui %e : i8 to i64
      linalg.yield %a : i64
  } -> tensor<4x8xi64>
  %begin = linalg.generic {indexing_maps = [affine_map<(a) -> ()>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%least : i64) outs(%empty : tensor<4xi64>) {
    ^bb0(%e: i64, %o: i64):
      linalg.yield %e : i64
  } -> tensor<4xi64>
  %greatest = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%extended : tensor<4x8xi64>) outs(%begin : tensor<4xi64>) {
    ^bb0(%e: i64, %o: i64):
      %a = arith.maxsi %o, %e : i64
      linalg.yield %a : i64
  } -> tensor<4xi64>
  return %greatest : tensor<4xi64>
}
