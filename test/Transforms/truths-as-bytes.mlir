// RUN: skriptnd-opt %s --codegen-truths-as-bytes --canonicalize | FileCheck %s

// Comparisons yield bytes, and selections compare them.
// CHECK-LABEL: func.func @compared(
// CHECK-SAME: -> tensor<8xi8>
// CHECK: arith.cmpf olt
// CHECK: arith.extui {{.*}} : i1 to i8
// CHECK: linalg.yield {{.*}} : i8
func.func @compared(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xi1> {
  %0 = tensor.empty() : tensor<8xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xi1>) {
  ^bb0(%x: f32, %y: f32, %out: i1):
    %2 = arith.cmpf olt, %x, %y : f32
    linalg.yield %2 : i1
  } -> tensor<8xi1>
  return %1 : tensor<8xi1>
}

// Logical operations on bytes stay such: an accumulation is one operation.
// CHECK-LABEL: func.func @any(
// CHECK-SAME: tensor<4x8xi8>) -> tensor<4xi8>
// CHECK: ^bb0(%[[X:.*]]: i8, %[[OLD:.*]]: i8):
// CHECK-NEXT: %[[ANY:.*]] = arith.ori %[[OLD]], %[[X]] : i8
// CHECK-NEXT: linalg.yield %[[ANY]] : i8
func.func @any(%a: tensor<4x8xi1>) -> tensor<4xi1> {
  %none = arith.constant dense<false> : tensor<4xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xi1>) outs(%none : tensor<4xi1>) {
  ^bb0(%x: i1, %out: i1):
    %1 = arith.ori %out, %x : i1
    linalg.yield %1 : i1
  } -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// Scalars and what loops carry.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: tensor<8xi8>
// CHECK: %[[BYTE:.*]] = tensor.extract {{.*}} : tensor<8xi8>
// CHECK: arith.cmpi ne, %[[BYTE]]
// CHECK: scf.for {{.*}} -> (tensor<8xi8>)
// CHECK: tensor.insert {{.*}} into {{.*}} : tensor<8xi8>
func.func @scalars(%a: tensor<8xi1>, %n: index) -> (i1, tensor<8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %a[%n] : tensor<8xi1>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> tensor<8xi1> {
    %2 = tensor.insert %0 into %b[%i] : tensor<8xi1>
    scf.yield %2 : tensor<8xi1>
  }
  return %0, %1 : i1, tensor<8xi1>
}

// CHECK-LABEL: func.func @constants(
// CHECK-DAG: arith.constant dense<1> : tensor<4xi8>
// CHECK-DAG: arith.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<3xi1>) outs({{.*}} : tensor<3xi8>)
func.func @constants() -> (tensor<4xi1>, tensor<3xi1>) {
  %0 = arith.constant dense<true> : tensor<4xi1>
  %1 = arith.constant dense<[true, false, true]> : tensor<3xi1>
  return %0, %1 : tensor<4xi1>, tensor<3xi1>
}
