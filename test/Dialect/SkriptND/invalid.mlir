// What declarations and definitions do not admit.
// RUN: skriptnd-opt %s --split-input-file --verify-diagnostics

func.func @element_type(%x: tensor<2xi64>) {
  // expected-error @+1 {{'skriptnd.nn.relu' op operand #0 must be real tensor of 32-bit float values, but got 'tensor<2xi64>'}}
  %0 = "skriptnd.nn.relu"(%x) : (tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{'skriptnd.nn.relu' op operand #0 must be real tensor of 32-bit float values, but got 'tensor<*xf32>'}}
  %0 = "skriptnd.nn.relu"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @attribute_kind(%x: tensor<2xf32>) {
  // expected-error @+1 {{'skriptnd.nn.relu' op attribute 'max' failed to satisfy constraint: 64-bit float attribute}}
  %0 = skriptnd.nn.relu(%x) {max = 6 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @attribute_value(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) {
  // expected-error @+1 {{'skriptnd.nn.conv' op attribute 'data_format' failed to satisfy constraint: string attribute which is one of NCX, NXC, XCN}}
  %0 = skriptnd.nn.conv(%x, %w, none) {data_format = "NCHW"} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @not_positive(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) {
  // expected-error @+1 {{'skriptnd.nn.conv' op attribute 'stride' failed to satisfy constraint: i64 dense array attribute whose value is positive}}
  %0 = skriptnd.nn.conv(%x, %w, none) {stride = array<i64: 0, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @missing_attribute(%x: tensor<1x2xf32>) {
  // expected-error @+1 {{'skriptnd.layout.concat' op requires attribute 'axis'}}
  %0 = skriptnd.layout.concat([%x]) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @segments(%x: tensor<1x2xf32>, %w: tensor<3x2xf32>) {
  // expected-error @+1 {{'skriptnd.nn.linear' op operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %0 = "skriptnd.nn.linear"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @result_type(%x: tensor<1x2xf32>, %w: tensor<3x2xf32>) {
  // expected-error @+1 {{'skriptnd.nn.linear' op output 'output' is real[1, 3], found tensor<1x4xf32>}}
  %0 = skriptnd.nn.linear(%x, %w, none) : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @definition(%x: tensor<1x2xf32>, %w: tensor<3x5xf32>) {
  // expected-error @+1 {{'skriptnd.nn.linear' op dimension 1 of argument `filter` of `nn.linear` is 5, expected 2 (c = 2)}}
  %0 = skriptnd.nn.linear(%x, %w, none) : (tensor<1x2xf32>, tensor<3x5xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @parent(%x: tensor<2xf32>) {
  // expected-error @+1 {{'skriptnd.return' op expects parent op 'skriptnd.graph'}}
  skriptnd.return %x : tensor<2xf32>
}

// -----

// expected-error @+1 {{'skriptnd.variable' op attribute 'label' failed to satisfy constraint: string attribute}}
%0 = skriptnd.variable @name : tensor<2xf32>

// -----

// Extents that only a run knows are no reason not to look at the others.
func.func @dynamic_channels(%x: tensor<?x3x?x?xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error @+1 {{'skriptnd.nn.conv' op invalid use of `nn.conv`: the number of input channels must be the filter's channels times `groups` (input-channels = 3, filter-channels = 4, groups = 1)}}
  %0 = skriptnd.nn.conv(%x, %w, none) : (tensor<?x3x?x?xf32>, tensor<8x4x3x3xf32>) -> tensor<?x8x?x?xf32>
  return
}

// -----

func.func @dynamic_result(%x: tensor<?x4x?x?xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error @+1 {{'skriptnd.nn.conv' op output 'output' is real[}}
  %0 = skriptnd.nn.conv(%x, %w, none) : (tensor<?x4x?x?xf32>, tensor<8x4x3x3xf32>) -> tensor<?x9x?x?xf32>
  return
}

// -----

func.func @extent_names(%x: tensor<?x4xf32, ["n"]>) {
  // expected-error @+1 {{'skriptnd.math.neg' op operand type tensor<?x4xf32, ["n"]> is no tensor of the language}}
  %0 = skriptnd.math.neg(%x) : (tensor<?x4xf32, ["n"]>) -> tensor<?x4xf32, ["n"]>
  return
}

// -----

func.func @extent_expressions(%x: tensor<?x4xf32, ["n +", 4]>) {
  // expected-error @+1 {{'skriptnd.math.neg' op operand type tensor<?x4xf32, ["n +", 4]> is no tensor of the language}}
  %0 = skriptnd.math.neg(%x) : (tensor<?x4xf32, ["n +", 4]>) -> tensor<?x4xf32, ["n +", 4]>
  return
}

// -----

func.func @identity_of_types(%x: tensor<2x1xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{'skriptnd.math.add' op 'skriptnd.identity' takes operand 1 for 0, which has another type}}
  %0 = skriptnd.math.add(%x, %y) {skriptnd.identity = array<i64: 0, 0>} : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
