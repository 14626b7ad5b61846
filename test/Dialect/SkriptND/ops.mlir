// Every form that the dialect writes reads back as the same.
// RUN: skriptnd-opt %s --verify-roundtrip | FileCheck %s
// RUN: skriptnd-opt %s --mlir-print-op-generic | skriptnd-opt | FileCheck %s

// CHECK-LABEL: skriptnd.graph @Operators
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x8x8xf32> {skriptnd.name = "x"}) -> (tensor<1x4x8x8xf32> {skriptnd.name = "y"})
skriptnd.graph @Operators(%x: tensor<1x3x8x8xf32> {skriptnd.name = "x"}) -> (tensor<1x4x8x8xf32> {skriptnd.name = "y"}) {
  // CHECK: %[[W:.*]] = skriptnd.variable "main.Operators.filter" : tensor<4x3x3x3xf32>
  %w = skriptnd.variable "main.Operators.filter" : tensor<4x3x3x3xf32>
  %b = skriptnd.variable "main.Operators.bias" : tensor<4xf32>
  // An absent input is `none`.
  // CHECK: skriptnd.nn.conv(%[[X]], %[[W]], none) {{{.*}}groups = 1 : i64{{.*}}} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %0 = skriptnd.nn.conv(%x, %w, none) {groups = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  // CHECK: skriptnd.nn.conv(%[[X]], %[[W]], %{{.*}}) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %1 = skriptnd.nn.conv(%x, %w, %b) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  // A pack stands in brackets.
  // CHECK: skriptnd.layout.concat([%{{.*}}, %{{.*}}]) {axis = 1 : i64} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = skriptnd.layout.concat([%0, %1]) {axis = 1 : i64} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x8x8x8xf32>
  // CHECK: skriptnd.layout.split(%{{.*}}) {axis = 1 : i64, count = 2 : i64{{.*}}} : (tensor<1x8x8x8xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>)
  %3:2 = skriptnd.layout.split(%2) {axis = 1 : i64, count = 2 : i64, resultSegmentSizes = array<i32: 2>} : (tensor<1x8x8x8xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>)
  // CHECK: skriptnd.return %{{.*}} : tensor<1x4x8x8xf32>
  skriptnd.return %3#1 : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: skriptnd.graph @State
skriptnd.graph @State(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  // CHECK: %[[C:.*]] = skriptnd.constant dense<1.000000e+00> : tensor<4xf32>
  %c = skriptnd.constant dense<1.0> : tensor<4xf32>
  %0 = skriptnd.math.add(%x, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: skriptnd.update "main.State.sum" = %{{.*}} : tensor<4xf32>
  skriptnd.update "main.State.sum" = %0 : tensor<4xf32>
  // CHECK: skriptnd.keep %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
  skriptnd.keep %x, %0 : tensor<4xf32>, tensor<4xf32>
  skriptnd.return %0 : tensor<4xf32>
}

// CHECK-LABEL: skriptnd.graph @Branch
skriptnd.graph @Branch(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>) {
  // CHECK: %[[R:.*]] = skriptnd.if %{{.*}} then {
  // CHECK: skriptnd.yield %{{.*}} : tensor<4xf32>
  // CHECK: } else {
  // CHECK: } : (tensor<i1>) -> tensor<4xf32>
  %0 = skriptnd.if %c then {
    %1 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
    skriptnd.yield %1 : tensor<4xf32>
  } else {
    skriptnd.yield %x : tensor<4xf32>
  } : (tensor<i1>) -> tensor<4xf32>
  // CHECK: skriptnd.return %[[R]]
  skriptnd.return %0 : tensor<4xf32>
}

// CHECK-LABEL: skriptnd.graph @Loop
skriptnd.graph @Loop(%n: tensor<i64>, %x: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>) {
  // CHECK: skriptnd.loop carry(%{{.*}} : tensor<4xf32>) scan(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>) times %{{.*}} : tensor<i64> test_last while {
  // CHECK-NEXT: } do {
  // CHECK: } -> (tensor<4xf32>), (tensor<4xf32>, tensor<4xf32>)
  %r, %s:2 = skriptnd.loop carry(%x : tensor<4xf32>) scan(%a, %b : tensor<4xf32>, tensor<4xf32>) times %n : tensor<i64> test_last while {
  } do {
  ^bb0(%c: tensor<4xf32>, %i: tensor<4xf32>, %k: tensor<i64>):
    %0 = skriptnd.math.add(%c, %i) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    skriptnd.yield %0, %0 : tensor<4xf32>, tensor<4xf32>
  } -> (tensor<4xf32>), (tensor<4xf32>, tensor<4xf32>)
  // CHECK: skriptnd.loop while {
  // CHECK: } do {
  // CHECK: } -> (), ()
  skriptnd.loop while {
  ^bb0(%k: tensor<i64>):
    %0 = skriptnd.constant dense<false> : tensor<i1>
    skriptnd.yield %0 : tensor<i1>
  } do {
  ^bb0(%k: tensor<i64>):
    skriptnd.yield
  } -> (), ()
  skriptnd.return %r : tensor<4xf32>
}
