// RUN: skriptnd-opt %s --codegen-describe-interface --split-input-file --verify-diagnostics

// expected-error @below {{`input0` is of type memref<4xf32>; the interface is described while a graph takes and gives tensors}}
module {
  func.func @late(%x: memref<4xf32>) {
    return
  }
}

// -----

// expected-error @below {{`output0` has extents that are not known: tensor<?xf32>; give them values with --bind}}
module {
  func.func @open(%x: tensor<4xf32>) -> tensor<?xf32> {
    %y = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
    return %y : tensor<?xf32>
  }
}
