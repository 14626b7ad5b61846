// RUN: skriptnd-opt %s --codegen-channels-last --split-input-file | FileCheck %s

// The result of a convolution, and what is elementwise behind it, has its channels last; the border converts.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[CONVOLUTION:.*]] = linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x6x6x16xf32>)
// CHECK: %[[RELU:.*]] = linalg.generic
// CHECK-SAME: ins(%[[CONVOLUTION]] : tensor<1x6x6x16xf32>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x6x6x16xf32>)
// CHECK: %[[BACK:.*]] = linalg.generic
// CHECK-SAME: ins(%[[RELU]] : tensor<1x6x6x16xf32>) outs(%{{.*}} : tensor<1x16x6x6xf32>)
// CHECK: return %[[BACK]]
#map = affine_map<(n, m, y, x) -> (n, m, y, x)>
func.func @convolution(%input: tensor<1x4x8x8xf32> {skriptnd.input = "x"}, %filter: tensor<16x4x3x3xf32> {skriptnd.variable = "w"})
    -> tensor<1x16x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x6x6xf32>
  %filled = linalg.generic {indexing_maps = [affine_map<(n, m, y, x) -> ()>, #map],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%zero : f32) outs(%empty : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x16x6x6xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c, j, i) -> (n, c, y + j, x + i)>,
      affine_map<(n, m, y, x, c, j, i) -> (m, c, j, i)>, affine_map<(n, m, y, x, c, j, i) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>) outs(%filled : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x6x6xf32>
  %relu = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x16x6x6xf32>) outs(%empty : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.maximumf %a, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x6x6xf32>
  return %relu : tensor<1x16x6x6xf32>
}

// -----

// A product with a vector reads its matrix once, as it lies: nothing changes.
// CHECK-LABEL: func.func @vector
// CHECK-NOT: tensor.empty
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @vector(%input: tensor<1x64xf32> {skriptnd.input = "x"}, %filter: tensor<10x64xf32> {skriptnd.variable = "w"},
    %bias: tensor<1x10xf32>) -> tensor<1x10xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<1x64xf32>, tensor<10x64xf32>) outs(%bias : tensor<1x10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x10xf32>
  return %sum : tensor<1x10xf32>
}

// -----

// Groups and the channels in them stay beside each other, so that tensors around have the channels of all groups innermost:
// what begins the sums, what is added behind, and the input, with one copy each where the graph begins and ends.
// CHECK-LABEL: func.func @groups
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x32x8x8xf32>) outs(%{{.*}} : tensor<1x8x8x32xf32>)
// CHECK: tensor.expand_shape %[[X]] {{\[}}[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 2, 16] : tensor<1x8x8x32xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 2, 8] : tensor<1x6x6x16xf32>
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x6x6x2x8xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]] : tensor<1x6x6x2x8xf32> into tensor<1x6x6x16xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x16x6x6xf32>)
// CHECK: return
func.func @groups(%x: tensor<1x32x8x8xf32> {skriptnd.input = "x"}, %w: tensor<2x8x16x3x3xf32> {skriptnd.variable = "w"},
    %b: tensor<16xf32> {skriptnd.variable = "b"}) -> tensor<1x16x6x6xf32> {
  %empty = tensor.empty() : tensor<1x16x6x6xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(n, m, y, x) -> (m)>, affine_map<(n, m, y, x) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<16xf32>) outs(%empty : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x16x6x6xf32>
  %input = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 16, 8, 8] : tensor<1x32x8x8xf32> into tensor<1x2x16x8x8xf32>
  %begin = tensor.expand_shape %bias [[0], [1, 2], [3], [4]] output_shape [1, 2, 8, 6, 6] : tensor<1x16x6x6xf32> into tensor<1x2x8x6x6xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, g, m, y, x, c, j, i) -> (n, g, c, y + j, x + i)>,
      affine_map<(n, g, m, y, x, c, j, i) -> (g, m, c, j, i)>, affine_map<(n, g, m, y, x, c, j, i) -> (n, g, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %w : tensor<1x2x16x8x8xf32>, tensor<2x8x16x3x3xf32>) outs(%begin : tensor<1x2x8x6x6xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %1 = arith.mulf %a, %f : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x2x8x6x6xf32>
  %all = tensor.collapse_shape %sum [[0], [1, 2], [3], [4]] : tensor<1x2x8x6x6xf32> into tensor<1x16x6x6xf32>
  return %all : tensor<1x16x6x6xf32>
}

// -----

// What is read by index of a result is read where it lies now: indices and dimensions follow, nothing is copied for them. The
// image that is resized takes the layout too, as its channels are those that it reads.
// CHECK-LABEL: func.func @read_by_index
// CHECK: %[[CONVOLUTION:.*]] = linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x?x6x16xf32>)
// CHECK: %[[SECOND:.*]] = arith.constant 1 : index
// CHECK: %[[HEIGHT:.*]] = tensor.dim %[[CONVOLUTION]], %[[SECOND]] : tensor<1x?x6x16xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x12x12x16xf32>)
// CHECK-DAG: %[[C:.*]] = linalg.index 1 : index
// CHECK-DAG: %[[Y:.*]] = linalg.index 2 : index
// CHECK-DAG: %[[X:.*]] = linalg.index 3 : index
// CHECK-NOT: tensor.empty
// CHECK: tensor.extract %[[CONVOLUTION]][%{{.*}}, %{{.*}}, %{{.*}}, %[[C]]] : tensor<1x?x6x16xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x16x12x12xf32>)
// CHECK: return %{{.*}}, %[[HEIGHT]]
func.func @read_by_index(%input: tensor<1x16x?x8xf32> {skriptnd.input = "x"}, %filter: tensor<16x16x3x3xf32> {skriptnd.variable = "w"},
    %begin: tensor<1x16x?x6xf32>) -> (tensor<1x16x12x12xf32>, index) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c, j, i) -> (n, c, y + j, x + i)>,
      affine_map<(n, m, y, x, c, j, i) -> (m, c, j, i)>, affine_map<(n, m, y, x, c, j, i) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x16x?x8xf32>, tensor<16x16x3x3xf32>) outs(%begin : tensor<1x16x?x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x?x6xf32>
  %height = tensor.dim %sum, %two : tensor<1x16x?x6xf32>
  %empty = tensor.empty() : tensor<1x16x12x12xf32>
  %resized = linalg.generic {indexing_maps = [affine_map<(n, m, y, x) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%empty : tensor<1x16x12x12xf32>) {
  ^bb0(%o: f32):
    %m = linalg.index 1 : index
    %y = linalg.index 2 : index
    %x = linalg.index 3 : index
    %row = arith.floordivsi %y, %two : index
    %column = arith.floordivsi %x, %two : index
    %element = tensor.extract %sum[%zero, %m, %row, %column] : tensor<1x16x?x6xf32>
    linalg.yield %element : f32
  } -> tensor<1x16x12x12xf32>
  return %resized, %height : tensor<1x16x12x12xf32>, index
}

// -----

// An enlarged image is made of parts that a reshape merges: the parts get an order in which the channels are innermost, too.
// CHECK-LABEL: func.func @enlarged
// CHECK: %[[CONVOLUTION:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: %[[PARTS:.*]] = linalg.generic {{.*}} ins(%[[CONVOLUTION]] : tensor<1x6x6x16xf32>) outs(%{{.*}} : tensor<1x6x2x6x2x16xf32>)
// CHECK: %[[MERGED:.*]] = tensor.collapse_shape %[[PARTS]] {{\[}}[0], [1, 2], [3, 4], [5]] : tensor<1x6x2x6x2x16xf32> into tensor<1x12x12x16xf32>
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[MERGED]], %{{.*}} : tensor<1x12x12x16xf32>, tensor<16x16xf32>)
func.func @enlarged(%input: tensor<1x16x8x8xf32> {skriptnd.input = "x"}, %filter: tensor<16x16x3x3xf32> {skriptnd.variable = "w"},
    %begin: tensor<1x16x6x6xf32>, %mixer: tensor<16x16xf32> {skriptnd.variable = "m"}, %last: tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c, j, i) -> (n, c, y + j, x + i)>,
      affine_map<(n, m, y, x, c, j, i) -> (m, c, j, i)>, affine_map<(n, m, y, x, c, j, i) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) outs(%begin : tensor<1x16x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x6x6xf32>
  %empty = tensor.empty() : tensor<1x16x6x2x6x2xf32>
  %parts = linalg.generic {indexing_maps = [affine_map<(n, m, y, j, x, i) -> (n, m, y, x)>, affine_map<(n, m, y, j, x, i) -> (n, m, y, j, x, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x16x6x6xf32>) outs(%empty : tensor<1x16x6x2x6x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x16x6x2x6x2xf32>
  %merged = tensor.collapse_shape %parts [[0], [1], [2, 3], [4, 5]] : tensor<1x16x6x2x6x2xf32> into tensor<1x16x12x12xf32>
  %mixed = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c) -> (n, c, y, x)>, affine_map<(n, m, y, x, c) -> (m, c)>,
      affine_map<(n, m, y, x, c) -> (n, m, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%merged, %mixer : tensor<1x16x12x12xf32>, tensor<16x16xf32>) outs(%last : tensor<1x16x12x12xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x12x12xf32>
  return %mixed : tensor<1x16x12x12xf32>
}

// -----

// Several products of a vector and a matrix, as attention for one query, are no depthwise convolution: what counts them stays outermost.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: linalg.generic {{.*}}"parallel"]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<12x1x64xf32>, tensor<12x64x96xf32>) outs(%{{.*}} : tensor<12x1x96xf32>)
// CHECK: return %[[SUM]]
func.func @vectors(%vectors: tensor<12x1x64xf32>, %matrices: tensor<12x64x96xf32>, %begin: tensor<12x1x96xf32>) -> tensor<12x1x96xf32> {
  %sums = linalg.generic {indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, k, n)>,
      affine_map<(h, m, n, k) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%vectors, %matrices : tensor<12x1x64xf32>, tensor<12x64x96xf32>) outs(%begin : tensor<12x1x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<12x1x96xf32>
  return %sums : tensor<12x1x96xf32>
}

// -----

// Nor where the vectors are known before the run, and beside a dimension of extent 1.
// CHECK-LABEL: func.func @known_vectors
// CHECK-NOT: linalg.generic {{.*}}"parallel"]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<12x1x64xf32>, tensor<1x12x96x64xf32>) outs(%{{.*}} : tensor<1x12x1x96xf32>)
// CHECK: return %[[SUM]]
func.func @known_vectors(%vectors: tensor<12x1x64xf32> {skriptnd.variable = "q"}, %keys: tensor<1x12x96x64xf32>,
    %begin: tensor<1x12x1x96xf32>) -> tensor<1x12x1x96xf32> {
  %sums = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>,
      affine_map<(b, h, m, n, k) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%vectors, %keys : tensor<12x1x64xf32>, tensor<1x12x96x64xf32>) outs(%begin : tensor<1x12x1x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x12x1x96xf32>
  return %sums : tensor<1x12x1x96xf32>
}

// -----

// Where all convolutions are products with pixels, and these are many, vectors go along them, and nothing is converted.
// CHECK-LABEL: func.func @pointwise
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: ins(%arg0, %arg1 : tensor<1x32x16x16xf32>, tensor<16x32xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @pointwise(%input: tensor<1x32x16x16xf32> {skriptnd.input = "x"}, %filter: tensor<16x32xf32> {skriptnd.variable = "w"}) -> tensor<1x16x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x16x16xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c) -> (n, c, y, x)>,
      affine_map<(n, m, y, x, c) -> (m, c)>, affine_map<(n, m, y, x, c) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<1x32x16x16xf32>, tensor<16x32xf32>) outs(%filled : tensor<1x16x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x16x16xf32>
  return %sum : tensor<1x16x16x16xf32>
}

// -----

// Of few pixels the channels fill vectors better, and groups of integers are along the channels.
// CHECK-LABEL: func.func @few
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x7x7x16xf32>)
func.func @few(%input: tensor<1x32x7x7xf32> {skriptnd.input = "x"}, %filter: tensor<16x32xf32> {skriptnd.variable = "w"}) -> tensor<1x16x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x7x7xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c) -> (n, c, y, x)>,
      affine_map<(n, m, y, x, c) -> (m, c)>, affine_map<(n, m, y, x, c) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<1x32x7x7xf32>, tensor<16x32xf32>) outs(%filled : tensor<1x16x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x7x7xf32>
  return %sum : tensor<1x16x7x7xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x20x20x16xi32>)
func.func @integers(%input: tensor<1x32x20x20xi32> {skriptnd.input = "x"}, %filter: tensor<16x32xi32> {skriptnd.variable = "w"}) -> tensor<1x16x20x20xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x16x20x20xi32>
  %filled = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x16x20x20xi32>) -> tensor<1x16x20x20xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c) -> (n, c, y, x)>,
      affine_map<(n, m, y, x, c) -> (m, c)>, affine_map<(n, m, y, x, c) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<1x32x20x20xi32>, tensor<16x32xi32>) outs(%filled : tensor<1x16x20x20xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %1 = arith.muli %a, %b : i32
    %2 = arith.addi %c, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<1x16x20x20xi32>
  return %sum : tensor<1x16x20x20xi32>
}

// -----

// So do windows channel by channel along wide lines.
// CHECK-LABEL: func.func @lines
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x32x8x56xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @lines(%input: tensor<1x32x10x58xf32> {skriptnd.input = "x"}, %filter: tensor<32x3x3xf32> {skriptnd.variable = "w"}) -> tensor<1x32x8x56xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x8x56xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x8x56xf32>) -> tensor<1x32x8x56xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, y, x, u, v) -> (n, c, y + u, x * 1 + v)>,
      affine_map<(n, c, y, x, u, v) -> (c, u, v)>, affine_map<(n, c, y, x, u, v) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x32x10x58xf32>, tensor<32x3x3xf32>) outs(%filled : tensor<1x32x8x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x32x8x56xf32>
  return %sum : tensor<1x32x8x56xf32>
}

// -----

// Those of every second pixel are no vectors of neighbours, and short lines leave much of vectors.
// CHECK-LABEL: func.func @strided_lines
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x8x56x32xf32>)
func.func @strided_lines(%input: tensor<1x32x10x113xf32> {skriptnd.input = "x"}, %filter: tensor<32x3x3xf32> {skriptnd.variable = "w"}) -> tensor<1x32x8x56xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x8x56xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x8x56xf32>) -> tensor<1x32x8x56xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, y, x, u, v) -> (n, c, y + u, x * 2 + v)>,
      affine_map<(n, c, y, x, u, v) -> (c, u, v)>, affine_map<(n, c, y, x, u, v) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x32x10x113xf32>, tensor<32x3x3xf32>) outs(%filled : tensor<1x32x8x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x32x8x56xf32>
  return %sum : tensor<1x32x8x56xf32>
}

// -----

// CHECK-LABEL: func.func @short_lines
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x8x28x32xf32>)
func.func @short_lines(%input: tensor<1x32x10x30xf32> {skriptnd.input = "x"}, %filter: tensor<32x3x3xf32> {skriptnd.variable = "w"}) -> tensor<1x32x8x28xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x8x28xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x8x28xf32>) -> tensor<1x32x8x28xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, y, x, u, v) -> (n, c, y + u, x * 1 + v)>,
      affine_map<(n, c, y, x, u, v) -> (c, u, v)>, affine_map<(n, c, y, x, u, v) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x32x10x30xf32>, tensor<32x3x3xf32>) outs(%filled : tensor<1x32x8x28xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x32x8x28xf32>
  return %sum : tensor<1x32x8x28xf32>
}

// -----

// Of every second pixel there are no vectors of neighbours, either.
// CHECK-LABEL: func.func @strided
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x16x16x24xf32>)
// CHECK: return
func.func @strided(%input: tensor<1x32x32x32xf32> {skriptnd.input = "x"}, %filter: tensor<24x32xf32> {skriptnd.variable = "w"}) -> tensor<1x24x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x24x16x16xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x24x16x16xf32>) -> tensor<1x24x16x16xf32>
  %part = tensor.extract_slice %input[0, 0, 0, 0] [1, 32, 16, 16] [1, 1, 2, 2] : tensor<1x32x32x32xf32> to tensor<1x32x16x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c) -> (n, c, y, x)>,
      affine_map<(n, m, y, x, c) -> (m, c)>, affine_map<(n, m, y, x, c) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%part, %filter : tensor<1x32x16x16xf32>, tensor<24x32xf32>) outs(%filled : tensor<1x24x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x24x16x16xf32>
  return %sum : tensor<1x24x16x16xf32>
}

// -----

// Several matrices, each times a vector of its own, are no channels.
// CHECK-LABEL: func.func @several
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: ins(%arg0, %arg1 : tensor<3x127x128xf32>, tensor<3x128x1xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @several(%matrices: tensor<3x127x128xf32> {skriptnd.input = "x"}, %vectors: tensor<3x128x1xf32> {skriptnd.input = "v"}) -> tensor<3x127x1xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x127x1xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x127x1xf32>) -> tensor<3x127x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
      affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%matrices, %vectors : tensor<3x127x128xf32>, tensor<3x128x1xf32>) outs(%filled : tensor<3x127x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x127x1xf32>
  return %sum : tensor<3x127x1xf32>
}

// -----

// Large windows that go by several pixels at a time are worth a conversion.
// CHECK-LABEL: func.func @large_windows
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x8x16x32xf32>)
func.func @large_windows(%input: tensor<1x32x8x35xf32> {skriptnd.input = "x"}, %window: tensor<5xf32>) -> tensor<1x32x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x8x16xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x8x16xf32>) -> tensor<1x32x8x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, y, x, v) -> (n, c, y, x * 2 + v)>, affine_map<(n, c, y, x, v) -> (v)>,
      affine_map<(n, c, y, x, v) -> (n, c, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %window : tensor<1x32x8x35xf32>, tensor<5xf32>) outs(%filled : tensor<1x32x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x8x16xf32>
  return %sum : tensor<1x32x8x16xf32>
}

// -----

// Small ones are not.
// CHECK-LABEL: func.func @small_windows
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x32x8x16xf32>)
func.func @small_windows(%input: tensor<1x32x8x33xf32> {skriptnd.input = "x"}, %window: tensor<3xf32>) -> tensor<1x32x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x8x16xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x8x16xf32>) -> tensor<1x32x8x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, c, y, x, v) -> (n, c, y, x * 2 + v)>, affine_map<(n, c, y, x, v) -> (v)>,
      affine_map<(n, c, y, x, v) -> (n, c, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %window : tensor<1x32x8x33xf32>, tensor<3xf32>) outs(%filled : tensor<1x32x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %c, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x8x16xf32>
  return %sum : tensor<1x32x8x16xf32>
}

// -----

// Two results for each channel leave most of a vector empty: alone, a convolution that gives these keeps its order.
// CHECK-LABEL: func.func @two_each
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<32x2x20x20xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @two_each(%input: tensor<32x22x22xf32> {skriptnd.input = "x"}, %filter: tensor<32x2x3x3xf32> {skriptnd.variable = "w"}) -> tensor<32x2x20x20xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x2x20x20xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x2x20x20xf32>) -> tensor<32x2x20x20xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(g, m, y, x, u, v) -> (g, y + u, x + v)>,
      affine_map<(g, m, y, x, u, v) -> (g, m, u, v)>, affine_map<(g, m, y, x, u, v) -> (g, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<32x22x22xf32>, tensor<32x2x3x3xf32>) outs(%filled : tensor<32x2x20x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x2x20x20xf32>
  return %sum : tensor<32x2x20x20xf32>
}

// -----

// Before another that mixes channels it has these last.
// CHECK-LABEL: func.func @two_each_before
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<32x20x20x2xf32>)
func.func @two_each_before(%input: tensor<32x22x22xf32> {skriptnd.input = "x"}, %filter: tensor<32x2x3x3xf32> {skriptnd.variable = "w"},
    %next: tensor<32x2x24xf32> {skriptnd.variable = "v"}) -> tensor<24x20x20xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x2x20x20xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x2x20x20xf32>) -> tensor<32x2x20x20xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(g, m, y, x, u, v) -> (g, y + u, x + v)>,
      affine_map<(g, m, y, x, u, v) -> (g, m, u, v)>, affine_map<(g, m, y, x, u, v) -> (g, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%input, %filter : tensor<32x22x22xf32>, tensor<32x2x3x3xf32>) outs(%filled : tensor<32x2x20x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x2x20x20xf32>
  %empty1 = tensor.empty() : tensor<24x20x20xf32>
  %filled1 = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<24x20x20xf32>) -> tensor<24x20x20xf32>
  %mixed = linalg.generic {indexing_maps = [affine_map<(n, y, x, g, m) -> (g, m, y, x)>, affine_map<(n, y, x, g, m) -> (g, m, n)>,
      affine_map<(n, y, x, g, m) -> (n, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%sum, %next : tensor<32x2x20x20xf32>, tensor<32x2x24xf32>) outs(%filled1 : tensor<24x20x20xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<24x20x20xf32>
  return %mixed : tensor<24x20x20xf32>
}

// -----

// Nor are there vectors where results go to every third pixel, as those of a transposed convolution.
// CHECK-LABEL: func.func @scattered
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: outs(%{{.*}} : tensor<1x16x16x24xf32>)
func.func @scattered(%input: tensor<1x32x16x16xf32> {skriptnd.input = "x"}, %filter: tensor<24x32xf32> {skriptnd.variable = "w"}) -> tensor<1x24x48x48xf32> {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<1x24x48x48xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%all : tensor<1x24x48x48xf32>) -> tensor<1x24x48x48xf32>
  %empty = tensor.empty() : tensor<1x24x16x16xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x24x16x16xf32>) -> tensor<1x24x16x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c) -> (n, c, y, x)>,
      affine_map<(n, m, y, x, c) -> (m, c)>, affine_map<(n, m, y, x, c) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<1x32x16x16xf32>, tensor<24x32xf32>) outs(%filled : tensor<1x24x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x24x16x16xf32>
  %inserted = tensor.insert_slice %sum into %zeros[0, 0, 0, 0] [1, 24, 16, 16] [1, 1, 3, 3] : tensor<1x24x16x16xf32> into tensor<1x24x48x48xf32>
  return %inserted : tensor<1x24x48x48xf32>
}

// -----

// How much is added around an image, and what is cut out of it, may be known to a run only.
// CHECK-LABEL: func.func @open_pad
// CHECK: tensor.pad %{{.*}} low[0, 1, 2, 0] high[0, %arg2, %arg3, 0]
// CHECK: tensor.extract_slice %{{.*}}[0, 1, %arg2, 0] [1, %arg3, 7, 32] [1, 1, 1, 1] : tensor<1x?x?x32xf32> to tensor<1x?x7x32xf32>
func.func @open_pad(%input: tensor<1x32x?x?xf32> {skriptnd.input = "x"}, %filter: tensor<64x32x3x3xf32> {skriptnd.variable = "w"},
    %below: index, %right: index, %sum: tensor<1x64x?x5xf32>) -> tensor<1x64x?x5xf32> {
  %zero = arith.constant 0.0 : f32
  %doubled = linalg.generic {indexing_maps = [affine_map<(n, c, y, x) -> (n, c, y, x)>, affine_map<(n, c, y, x) -> (n, c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%input : tensor<1x32x?x?xf32>) outs(%input : tensor<1x32x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x?x?xf32>
  %padded = tensor.pad %doubled low[0, 0, 1, 2] high[0, 0, %below, %right] {
  ^bb0(%n: index, %c: index, %y: index, %x: index):
    tensor.yield %zero : f32
  } : tensor<1x32x?x?xf32> to tensor<1x32x?x?xf32>
  %cut = tensor.extract_slice %padded[0, 0, 1, %below] [1, 32, %right, 7] [1, 1, 1, 1] : tensor<1x32x?x?xf32> to tensor<1x32x?x7xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(n, m, y, x, c, i, j) -> (n, c, y + i, x + j)>,
      affine_map<(n, m, y, x, c, i, j) -> (m, c, i, j)>, affine_map<(n, m, y, x, c, i, j) -> (n, m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%cut, %filter : tensor<1x32x?x7xf32>, tensor<64x32x3x3xf32>) outs(%sum : tensor<1x64x?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x64x?x5xf32>
  return %result : tensor<1x64x?x5xf32>
}
