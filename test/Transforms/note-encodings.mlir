// RUN: skriptnd-opt %s --codegen-note-encodings | FileCheck %s

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
#all = affine_map<(a, b) -> ()>

// What integers stand for, by constants, by what only a run knows, and along a dimension.
// CHECK-LABEL: func.func @scaled(
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<0 to 255, scale = 2.500000e-01 : f32, zero = 128 : i64>
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<-128 to 127, scale = unit, zero = unit>
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<-128 to 127, scale = unit, along = 0>
func.func @scaled(%x: tensor<2x?xi8>, %s: tensor<f32>, %z: tensor<i8>, %t: tensor<2xf32>, %n: index) -> (tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>) {
  %scale = arith.constant 0.25 : f32
  %zero = arith.constant 128.0 : f32
  %empty = tensor.empty(%n) : tensor<2x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x?xi8>) outs(%empty : tensor<2x?xf32>) {
  ^bb0(%in: i8, %out: f32):
    %whole = arith.uitofp %in : i8 to f32
    %moved = arith.subf %whole, %zero : f32
    %real = arith.mulf %moved, %scale : f32
    linalg.yield %real : f32
  } -> tensor<2x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #all, #all, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s, %z : tensor<2x?xi8>, tensor<f32>, tensor<i8>) outs(%empty : tensor<2x?xf32>) {
  ^bb0(%in: i8, %by: f32, %less: i8, %out: f32):
    %wide = arith.extsi %in : i8 to i64
    %from = arith.extsi %less : i8 to i64
    %moved = arith.subi %wide, %from : i64
    %whole = arith.sitofp %moved : i64 to f32
    %real = arith.mulf %by, %whole : f32
    linalg.yield %real : f32
  } -> tensor<2x?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t : tensor<2x?xi8>, tensor<2xf32>) outs(%empty : tensor<2x?xf32>) {
  ^bb0(%in: i8, %by: f32, %out: f32):
    %whole = arith.sitofp %in : i8 to f32
    %real = arith.mulf %whole, %by : f32
    linalg.yield %real : f32
  } -> tensor<2x?xf32>
  return %0, %1, %2 : tensor<2x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>
}

// Sums of as many numbers as there are at most, limits, and reals that are no whole numbers. What was noted before goes; for which reals integers
// stand, and what an argument has, was known by who noted it.
// CHECK-LABEL: func.func @limited(
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<0 to 0>
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<0 to 30>
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<0 to 7, scale = 1.000000e-01 : f32, zero = 3 : i64>
// CHECK: linalg.generic {{.*}}skriptnd.encoding = #skriptnd.encoding<0 to 1>
// CHECK-NOT: skriptnd.encoding
// CHECK: return
func.func @limited(%x: tensor<2x3xi64> {skriptnd.encoding = #skriptnd.encoding<0 to 10>}, %y: tensor<2xf32>) -> (tensor<2xi64>, tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : i64
  %most = arith.constant 7 : i64
  %none = arith.constant 0.0 : f32
  %one = arith.constant 0.7 : f32
  %empty = tensor.empty() : tensor<2xi64>
  %reals = tensor.empty() : tensor<2xf32>
  %begin = linalg.generic {indexing_maps = [affine_map<(a) -> ()>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%zero : i64) outs(%empty : tensor<2xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<2xi64>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xi64>) outs(%begin : tensor<2xi64>) attrs = {skriptnd.encoding = #skriptnd.encoding<5 to 6>} {
  ^bb0(%in: i64, %out: i64):
    %sum = arith.addi %out, %in : i64
    linalg.yield %sum : i64
  } -> tensor<2xi64>
  %few = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%sums : tensor<2xi64>) outs(%empty : tensor<2xi64>)
      attrs = {skriptnd.encoding = #skriptnd.encoding<0 to 255, scale = 1.0e-1 : f32, zero = 3 : i64>} {
  ^bb0(%in: i64, %out: i64):
    %limited = arith.minsi %in, %most : i64
    linalg.yield %limited : i64
  } -> tensor<2xi64>
  %between = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%sums : tensor<2xi64>) outs(%reals : tensor<2xf32>) {
  ^bb0(%in: i64, %out: f32):
    %real = arith.sitofp %in : i64 to f32
    %less = arith.minimumf %real, %one : f32
    linalg.yield %less : f32
  } -> tensor<2xf32>
  %any = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%y : tensor<2xf32>) outs(%reals : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %positive = arith.maximumf %in, %none : f32
    linalg.yield %positive : f32
  } -> tensor<2xf32>
  return %few, %between, %any : tensor<2xi64>, tensor<2xf32>, tensor<2xf32>
}
