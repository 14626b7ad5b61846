// RUN: skriptnd-opt %s --convert-skriptnd-to-linalg --split-input-file --verify-diagnostics

// expected-error@+1 {{'skriptnd.graph' op leaves extents of input `0` open; `--bind EXTENT=VALUE` gives them values}}
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
