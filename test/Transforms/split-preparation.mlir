// RUN: skriptnd-opt %s --codegen-describe-interface --codegen-split-preparation --canonicalize | FileCheck %s

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
