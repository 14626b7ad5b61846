// What has no conversion is told of at each place; what only uses its results has nothing to say.
// RUN: not skriptnd-opt %s --convert-skriptnd-to-linalg 2>&1 | FileCheck %s --implicit-check-not=error:

skriptnd.graph @G(%x: tensor<2xf32> {skriptnd.name = "x"}) -> (tensor<2xf32> {skriptnd.name = "y"}) {
  // CHECK: refusals.mlir:[[#@LINE+1]]:8: error: 'tensor.cast' op has no conversion to linalg yet
  %0 = tensor.cast %x : tensor<2xf32> to tensor<2xf32>
  %1 = skriptnd.math.neg(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: refusals.mlir:[[#@LINE+1]]:8: error: 'tensor.cast' op has no conversion to linalg yet
  %2 = tensor.cast %x : tensor<2xf32> to tensor<2xf32>
  %3 = skriptnd.math.add(%1, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  skriptnd.return %3 : tensor<2xf32>
}
