// RUN: skriptnd-opt %s --split-input-file --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=x86-64-v3" --codegen-read-stored-weights --canonicalize --cse | FileCheck %s
// RUN: skriptnd-opt %s --split-input-file --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=x86-64-v3" --codegen-describe-interface --codegen-read-stored-weights --codegen-split-preparation --canonicalize | FileCheck %s --check-prefix=PREPARED

#id = affine_map<(a, b, c) -> (a, b, c)>
#group = affine_map<(a, b, c) -> (a, b)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// Groups of 32 bytes in a row have a scale. Both are in panels of columns, the sum of a group is scaled, and no f32 is prepared but
// the scales.
// CHECK-DAG: #[[$INPUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2 + d3 * 32)>
// CHECK-DAG: #[[$WEIGHT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 floordiv 16, d3, d2, d1 mod 16)>
// CHECK-DAG: #[[$SCALE:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 floordiv 16, d3, d1 mod 16)>
// CHECK-LABEL: func.func @bytes(
// CHECK: linalg.generic {indexing_maps = [#[[$INPUT]], #[[$WEIGHT]], #[[$SCALE]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
// CHECK-SAME: : tensor<64x256xf32>, tensor<8x8x32x16xi8>, tensor<8x8x16xf32>)
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: %[[PRODUCT:.*]] = arith.mulf
// CHECK: %[[SCALED:.*]] = arith.mulf %[[PRODUCT]]
// CHECK: arith.addf %{{.*}}, %[[SCALED]]
// PREPARED: skriptnd.prepared = [tensor<8x8x32x16xi8>, tensor<8x8x16xf32>]
func.func @bytes(%x: tensor<64x256xf32> {skriptnd.input = "x"},
    %w: tensor<128x8x32xi8> {skriptnd.of = i64, skriptnd.storage = "i8", skriptnd.variable = "w"},
    %s: tensor<128x8xf32> {skriptnd.variable = "s"}) -> (tensor<64x128xf32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x8x32xf32>
  %wide = linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<128x8x32xi8>, tensor<128x8xf32>) outs(%empty : tensor<128x8x32xf32>) {
  ^bb0(%a: i8, %b: f32, %c: f32):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<128x8x32xf32>
  %rows = tensor.collapse_shape %wide [[0], [1, 2]] : tensor<128x8x32xf32> into tensor<128x256xf32>
  %begin = tensor.empty() : tensor<64x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%begin : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %rows : tensor<64x256xf32>, tensor<128x256xf32>) outs(%start : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

#id = affine_map<(a, b, c) -> (a, b, c)>
#group = affine_map<(a, b, c) -> (a, b)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// Of numbers from -8 to 7 a byte has two.
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2 * 2 + d3 * 32)>
// CHECK-DAG: #[[$SECOND:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2 * 2 + d3 * 32 + 1)>
// CHECK-LABEL: func.func @halves(
// CHECK: arith.addi %{{.*}} : i8
// CHECK: arith.shli %{{.*}} : i8
// CHECK: arith.ori %{{.*}} : i8
// CHECK: linalg.generic {indexing_maps = [#[[$FIRST]], #[[$SECOND]], #{{.*}}, #{{.*}}, #{{.*}}]
// CHECK-SAME: tensor<8x8x16x16xi8>, tensor<8x8x16xf32>)
// CHECK: arith.andi %{{.*}} : i32
// CHECK: arith.shrsi %{{.*}} : i32
// PREPARED: skriptnd.prepared = [tensor<8x8x16x16xi8>, tensor<8x8x16xf32>]
func.func @halves(%x: tensor<64x256xf32> {skriptnd.input = "x"},
    %w: tensor<128x8x32xi8> {skriptnd.of = i64, skriptnd.storage = "i8", skriptnd.variable = "w", skriptnd.encoding = #skriptnd.encoding<-8 to 7>},
    %s: tensor<128x8xf32> {skriptnd.variable = "s"}) -> (tensor<64x128xf32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x8x32xf32>
  %wide = linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<128x8x32xi8>, tensor<128x8xf32>) outs(%empty : tensor<128x8x32xf32>) {
  ^bb0(%a: i8, %b: f32, %c: f32):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<128x8x32xf32>
  %rows = tensor.collapse_shape %wide [[0], [1, 2]] : tensor<128x8x32xf32> into tensor<128x256xf32>
  %begin = tensor.empty() : tensor<64x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%begin : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %rows : tensor<64x256xf32>, tensor<128x256xf32>) outs(%start : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

#id = affine_map<(a, b, c) -> (a, b, c)>
#group = affine_map<(a, b, c) -> (a, b)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// Few weights stay in the nearest cache as reals.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: tensor<{{.*}}x16xi8>
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<64x64xf32>, tensor<32x64xf32>)
// PREPARED: skriptnd.prepared = [tensor<32x64xf32>]
func.func @few(%x: tensor<64x64xf32> {skriptnd.input = "x"},
    %w: tensor<32x2x32xi8> {skriptnd.of = i64, skriptnd.storage = "i8", skriptnd.variable = "w"},
    %s: tensor<32x2xf32> {skriptnd.variable = "s"}) -> (tensor<64x32xf32> {skriptnd.output = "y"}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x2x32xf32>
  %wide = linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<32x2x32xi8>, tensor<32x2xf32>) outs(%empty : tensor<32x2x32xf32>) {
  ^bb0(%a: i8, %b: f32, %c: f32):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<32x2x32xf32>
  %rows = tensor.collapse_shape %wide [[0], [1, 2]] : tensor<32x2x32xf32> into tensor<32x64xf32>
  %begin = tensor.empty() : tensor<64x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%begin : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %rows : tensor<64x64xf32>, tensor<32x64xf32>) outs(%start : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
