// Inputs, variables, outputs and new states of a function; control flow.
// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @State(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32> {skriptnd.input = "x"}, %[[SUM:[^:]*]]: tensor<4xf32> {skriptnd.variable = "main.State.sum"})
// CHECK-SAME: -> (tensor<4xf32> {skriptnd.output = "y"}, tensor<4xf32> {skriptnd.state = "main.State.sum"})
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[SUM]] :
// CHECK: return %[[Y]], %[[Y]]
skriptnd.graph @State(%x: tensor<4xf32> {skriptnd.name = "x"}) -> (tensor<4xf32> {skriptnd.name = "y"}) {
  %sum = skriptnd.variable "main.State.sum" : tensor<4xf32>
  %0 = skriptnd.math.add(%x, %sum) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  skriptnd.update "main.State.sum" = %0 : tensor<4xf32>
  skriptnd.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @Branch(
// CHECK-SAME: %[[C:[^:]*]]: tensor<1xi1>
// CHECK: %[[BIT:.*]] = tensor.extract %[[C]][%{{.*}}] : tensor<1xi1>
// CHECK: scf.if %[[BIT]] -> (tensor<4xf32>) {
// CHECK: math.exp
// CHECK: scf.yield
// CHECK: } else {
// CHECK: math.sqrt
skriptnd.graph @Branch(%c: tensor<1xi1>, %x: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = skriptnd.if %c then {
    %1 = skriptnd.math.exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    skriptnd.yield %1 : tensor<4xf32>
  } else {
    %1 = skriptnd.math.sqrt(%x) : (tensor<4xf32>) -> tensor<4xf32>
    skriptnd.yield %1 : tensor<4xf32>
  } : (tensor<1xi1>) -> tensor<4xf32>
  skriptnd.return %0 : tensor<4xf32>
}
