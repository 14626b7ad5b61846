// RUN: skriptnd-opt %s --codegen-set-target="triple=hexagon-unknown-linux-musl cpu=hexagonv67+hvxv67+hvx-length128b" --codegen-join-groups --canonicalize --split-input-file | FileCheck %s
// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=x86-64-v3" --codegen-join-groups --split-input-file | FileCheck %s --check-prefix=SHORT

// Eight groups with four channels each fill a vector of words: there are none any more.
// CHECK-LABEL: func.func @all(
// CHECK: %[[FILTER:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<8x4x4x3x3xi64>) outs(%{{.*}} : tensor<1x8x4x8x4x3x3xi64>)
// CHECK: %[[ONE:.*]] = linalg.index 1
// CHECK: %[[OTHER:.*]] = linalg.index 3
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[ONE]], %[[OTHER]]
// CHECK: arith.select %[[SAME]], %{{.*}}, %c0_i64
// CHECK: %[[DENSE:.*]] = tensor.collapse_shape %[[FILTER]] {{.*}} into tensor<32x32x3x3xi64>
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]{{.*}} ins(%arg0, %[[DENSE]] : tensor<1x32x6x6xi64>, tensor<32x32x3x3xi64>)
// CHECK-NOT: shape
// CHECK: return
// SHORT-LABEL: func.func @all(
// SHORT-NOT: select
// SHORT: return
#x = affine_map<(n, g, o, i, j, c, u, v) -> (n, g, c, i + u, j + v)>
#f = affine_map<(n, g, o, i, j, c, u, v) -> (g, o, c, u, v)>
#y = affine_map<(n, g, o, i, j, c, u, v) -> (n, g, o, i, j)>
func.func @all(%x: tensor<1x32x6x6xi64> {skriptnd.input = "x", skriptnd.encoding = #skriptnd.encoding<-128 to 127>},
               %f: tensor<8x4x4x3x3xi64> {skriptnd.variable = "f", skriptnd.encoding = #skriptnd.encoding<-128 to 127>}) -> tensor<1x32x4x4xi64> {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<1x32x4x4xi64>
  %zeros = linalg.fill ins(%zero : i64) outs(%empty : tensor<1x32x4x4xi64>) -> tensor<1x32x4x4xi64>
  %begin = tensor.expand_shape %zeros [[0], [1, 2], [3], [4]] output_shape [1, 8, 4, 4, 4] : tensor<1x32x4x4xi64> into tensor<1x8x4x4x4xi64>
  %groups = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 8, 4, 6, 6] : tensor<1x32x6x6xi64> into tensor<1x8x4x6x6xi64>
  %sums = linalg.generic {indexing_maps = [#x, #f, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%groups, %f : tensor<1x8x4x6x6xi64>, tensor<8x4x4x3x3xi64>) outs(%begin : tensor<1x8x4x4x4xi64>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %m = arith.muli %a, %b : i64
      %s = arith.addi %o, %m : i64
      linalg.yield %s : i64
  } -> tensor<1x8x4x4x4xi64>
  %y = tensor.collapse_shape %sums [[0], [1, 2], [3], [4]] : tensor<1x8x4x4x4xi64> into tensor<1x32x4x4xi64>
  return %y : tensor<1x32x4x4xi64>
}

// -----

// Of 32 channels with two results each, 16 are enough: what counted channels counts such groups, and a dimension of its own is reduced.
// CHECK-LABEL: func.func @some(
// CHECK: tensor.expand_shape %arg0 {{.*}} into tensor<1x2x16x6x6xi64>
// CHECK: %[[FILTER:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<32x2x3x3xi64>) outs(%{{.*}} : tensor<2x16x2x16x1x3x3xi64>)
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %[[FILTER]] {{.*}} into tensor<2x32x16x3x3xi64>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[JOINED]] : tensor<1x2x16x6x6xi64>, tensor<2x32x16x3x3xi64>) outs(%{{.*}} : tensor<1x2x32x4x4xi64>)
#xs = affine_map<(n, g, o, i, j, u, v) -> (n, g, i + u, j + v)>
#fs = affine_map<(n, g, o, i, j, u, v) -> (g, o, u, v)>
#ys = affine_map<(n, g, o, i, j, u, v) -> (n, g, o, i, j)>
func.func @some(%x: tensor<1x32x6x6xi64> {skriptnd.input = "x", skriptnd.encoding = #skriptnd.encoding<0 to 255>},
                %f: tensor<32x2x3x3xi64> {skriptnd.variable = "f", skriptnd.encoding = #skriptnd.encoding<-128 to 127>}) -> tensor<1x32x2x4x4xi64> {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<1x32x2x4x4xi64>
  %zeros = linalg.fill ins(%zero : i64) outs(%empty : tensor<1x32x2x4x4xi64>) -> tensor<1x32x2x4x4xi64>
  %sums = linalg.generic {indexing_maps = [#xs, #fs, #ys], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %f : tensor<1x32x6x6xi64>, tensor<32x2x3x3xi64>) outs(%zeros : tensor<1x32x2x4x4xi64>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %m = arith.muli %a, %b : i64
      %s = arith.addi %o, %m : i64
      linalg.yield %s : i64
  } -> tensor<1x32x2x4x4xi64>
  return %sums : tensor<1x32x2x4x4xi64>
}

// -----

// Groups of 32 channels, or of numbers that bytes don't have, stay as they are.
// CHECK-LABEL: func.func @full(
// CHECK-NOT: select
// CHECK: return
#xf = affine_map<(n, g, o, i, c) -> (n, g, c, i)>
#ff = affine_map<(n, g, o, i, c) -> (g, o, c)>
#yf = affine_map<(n, g, o, i, c) -> (n, g, o, i)>
func.func @full(%x: tensor<1x2x8x9xi64> {skriptnd.input = "x", skriptnd.encoding = #skriptnd.encoding<0 to 255>},
                %f: tensor<2x32x8xi64> {skriptnd.variable = "f", skriptnd.encoding = #skriptnd.encoding<-128 to 127>},
                %w: tensor<2x4x8xi64> {skriptnd.variable = "w", skriptnd.encoding = #skriptnd.encoding<-1000 to 1000>},
                %zeros: tensor<1x2x32x9xi64>, %others: tensor<1x2x4x9xi64>) -> (tensor<1x2x32x9xi64>, tensor<1x2x4x9xi64>) {
  %y = linalg.generic {indexing_maps = [#xf, #ff, #yf], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %f : tensor<1x2x8x9xi64>, tensor<2x32x8xi64>) outs(%zeros : tensor<1x2x32x9xi64>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %m = arith.muli %a, %b : i64
      %s = arith.addi %o, %m : i64
      linalg.yield %s : i64
  } -> tensor<1x2x32x9xi64>
  %z = linalg.generic {indexing_maps = [#xf, #ff, #yf], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x2x8x9xi64>, tensor<2x4x8xi64>) outs(%others : tensor<1x2x4x9xi64>) {
    ^bb0(%a: i64, %b: i64, %o: i64):
      %m = arith.muli %a, %b : i64
      %s = arith.addi %o, %m : i64
      linalg.yield %s : i64
  } -> tensor<1x2x4x9xi64>
  return %y, %z : tensor<1x2x32x9xi64>, tensor<1x2x4x9xi64>
}
