// RUN: skriptnd-opt %s --codegen-describe-interface --codegen-split-preparation --canonicalize --split-input-file | FileCheck %s

// Only tensors are prepared: the run takes the condition, which depends on a variable alone, out of a tensor itself.
// CHECK-LABEL: func.func @run
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[SUM:.*]]: tensor<f32>)
// CHECK: %[[SCALAR:.*]] = tensor.extract %[[SUM]][] : tensor<f32>
// CHECK: %[[POSITIVE:.*]] = arith.cmpf ogt, %[[SCALAR]]
// CHECK: scf.if %[[POSITIVE]]
// CHECK: func.func @prepare(%{{.*}}: tensor<4xf32>) -> tensor<f32>
// CHECK: linalg.generic
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @graph(%x: tensor<4xf32> {skriptnd.input = "x"}, %w: tensor<4xf32> {skriptnd.variable = "w"})
    -> (tensor<4xf32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  %empty = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%w : tensor<4xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %scalar = tensor.extract %sum[] : tensor<f32>
  %positive = arith.cmpf ogt, %scalar, %zero : f32
  %y = scf.if %positive -> tensor<4xf32> {
    %1 = tensor.insert %scalar into %x[%first] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// What a loop computes of variables only is prepared, too, with the constants that it takes.
// CHECK-LABEL: func.func @run
// CHECK-SAME: (%{{.*}}: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[NEGATED:.*]]: tensor<4xf32>)
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%[[NEGATED]], %{{.*}} : tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: linalg.generic
// CHECK: func.func @prepare(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK: arith.mulf
func.func @looped(%x: tensor<4xf32> {skriptnd.input = "x"}, %w: tensor<4xf32> {skriptnd.variable = "w"})
    -> (tensor<4xf32> {skriptnd.output = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %y = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    %factor = arith.constant dense<-1.0> : tensor<4xf32>
    %empty = tensor.empty() : tensor<4xf32>
    %negated = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
        ins(%w, %factor : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    %next = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
        ins(%negated, %s : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// What is known of the numbers of variables stays known, and so does what is known of those that are prepared.
// CHECK-LABEL: func.func @run
// CHECK-SAME: (%{{.*}}: tensor<4xi64>, %{{.*}}: tensor<4xi64> {skriptnd.encoding = #skriptnd.encoding<-8 to 7>}, %{{.*}}: tensor<4xi64> {skriptnd.encoding = #skriptnd.encoding<-24 to 21>})
// CHECK: func.func @prepare
func.func @graph(%x: tensor<4xi64> {skriptnd.input = "x"}, %w: tensor<4xi64> {skriptnd.variable = "w", skriptnd.encoding = #skriptnd.encoding<-8 to 7>})
    -> (tensor<4xi64> {skriptnd.output = "y"}) {
  %three = arith.constant 3 : i64
  %empty = tensor.empty() : tensor<4xi64>
  %tripled = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%w : tensor<4xi64>) outs(%empty : tensor<4xi64>) {
  ^bb0(%a: i64, %b: i64):
    %1 = arith.muli %a, %three : i64
    linalg.yield %1 : i64
  } -> tensor<4xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%x, %w, %tripled : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) outs(%empty : tensor<4xi64>) {
  ^bb0(%a: i64, %b: i64, %c: i64, %o: i64):
    %1 = arith.addi %a, %b : i64
    %2 = arith.addi %1, %c : i64
    linalg.yield %2 : i64
  } -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

// A table that follows from constants alone is prepared, where it takes functions; what takes none is left to the run.
// CHECK-LABEL: func.func @run
// CHECK-SAME: (%{{.*}}: tensor<4xf32>, %[[TABLE:.*]]: tensor<4xf32>)
// CHECK-NOT: math.exp
// CHECK: linalg.index
// CHECK: linalg.generic {{.*}} ins(%[[TABLE]]
// CHECK: func.func @prepare() -> tensor<4xf32>
// CHECK: math.exp
func.func @table(%x: tensor<4xf32> {skriptnd.input = "x"}) -> (tensor<4xf32> {skriptnd.output = "y"}) {
  %empty = tensor.empty() : tensor<4xf32>
  %places = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>], iterator_types = ["parallel"]} outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32):
    %1 = linalg.index 0 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %table = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%places : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%table, %places, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.addf %1, %c : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
