// Upstream's passes know the operators by their traits.
// RUN: skriptnd-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @involution
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @involution(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.neg(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @idempotent
// CHECK-NEXT: %[[Y:.*]] = skriptnd.math.abs
// CHECK-NEXT: return %[[Y]]
func.func @idempotent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = skriptnd.math.abs(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.abs(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Unused operators vanish; equal ones merge; unequal ones don't.
// CHECK-LABEL: func.func @pure
// CHECK-NEXT: %[[A:.*]] = skriptnd.nn.relu(%{{.*}}) :
// CHECK-NEXT: %[[B:.*]] = skriptnd.nn.relu(%{{.*}}) {max = 6.000000e+00 : f64}
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]]
func.func @pure(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.nn.sigmoid(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.nn.relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = skriptnd.nn.relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = skriptnd.nn.relu(%x) {max = 6.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Random numbers are drawn as often as they are asked for, and a write stays.
// CHECK-LABEL: func.func @effects
// CHECK-COUNT-2: skriptnd.rand.uniform
// CHECK: skriptnd.update
func.func @effects(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.rand.uniform() {shape = array<i64: 4>} : () -> tensor<4xf32>
  %1 = skriptnd.rand.uniform() {shape = array<i64: 4>} : () -> tensor<4xf32>
  skriptnd.update "x" = %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Operands with different alignments must not be exchanged, so that binary operators are not commutative.
// CHECK-LABEL: func.func @aligned
// CHECK: skriptnd.math.add(%[[C:.*]], %{{.*}}) {lhs_align = 0 : i64}
func.func @aligned(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %c = skriptnd.constant dense<1.0> : tensor<4xf32>
  %0 = skriptnd.math.add(%c, %x) {lhs_align = 0 : i64} : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
