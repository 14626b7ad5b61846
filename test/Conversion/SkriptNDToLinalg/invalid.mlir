// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --split-input-file --verify-diagnostics

// expected-error@+1 {{'skriptnd.graph' op has an input of type tensor<?xf32>; bind its extents to compile the model}}
skriptnd.graph @Dynamic(%x: tensor<?xf32>) -> (tensor<?xf32>) {
  skriptnd.return %x : tensor<?xf32>
}

// -----

skriptnd.graph @Types(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = skriptnd.variable "main.Types.w" : tensor<4xf32>
  // expected-error@+1 {{'skriptnd.nn.unknown' op operator 'nn.unknown' is not defined}}
  %1 = skriptnd.nn.unknown(%x, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %1 : tensor<4xf32>
}
