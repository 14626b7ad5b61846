skriptnd.graph @G(%x: tensor<4xf32> {skriptnd.name = "x"}) -> (tensor<4xf32> {skriptnd.name = "y"}) {
  %0 = skriptnd.rounded %x to "f16" : tensor<4xf32>
  skriptnd.return %0 : tensor<4xf32>
}
