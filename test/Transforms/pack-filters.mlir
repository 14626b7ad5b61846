// RUN: skriptnd-opt %s "--codegen-set-target=triple=x86_64-unknown-linux-gnu features=+avx512f" --codegen-pack-filters | FileCheck %s

// Panels are two vectors wide; 40 columns fill one and a part of a second, which is padded with zeros.
// CHECK: #[[$PANELS:[a-z0-9]+]] = affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2, d1 mod 32)>
// CHECK-LABEL: func.func @product
// CHECK: %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0] high[24, 0]
// CHECK: %[[PACKED:.*]] = linalg.generic
// CHECK-SAME: ins(%[[PADDED]] : tensor<64x100xf32>) outs(%{{.*}} : tensor<2x100x32xf32>)
// CHECK: linalg.generic {indexing_maps = [#map{{.*}}, #[[$PANELS]], #map{{.*}}]
// CHECK-SAME: ins(%{{.*}}, %[[PACKED]] : tensor<20x100xf32>, tensor<2x100x32xf32>)
func.func @product(%input: tensor<20x100xf32> {skriptnd.input = "x"}, %filter: tensor<40x100xf32> {skriptnd.variable = "w"},
    %start: tensor<20x40xf32>) -> tensor<20x40xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<20x100xf32>, tensor<40x100xf32>) outs(%start : tensor<20x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<20x40xf32>
  return %sum : tensor<20x40xf32>
}

// Three columns leave most of a vector empty: vectors go along the rows of the filter, which lie one behind the other.
// CHECK-LABEL: func.func @few
// CHECK: %[[ROWS:.*]] = linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<100x3xf32>) outs(%{{.*}} : tensor<3x100xf32>)
// CHECK: linalg.generic {indexing_maps = [#map{{.*}}, #map{{.*}}, #map{{.*}}]
// CHECK-SAME: ins(%{{.*}}, %[[ROWS]] : tensor<20x100xf32>, tensor<3x100xf32>)
func.func @few(%input: tensor<20x100xf32> {skriptnd.input = "x"}, %filter: tensor<100x3xf32> {skriptnd.variable = "w"},
    %start: tensor<20x3xf32>) -> tensor<20x3xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%input, %filter : tensor<20x100xf32>, tensor<100x3xf32>) outs(%start : tensor<20x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<20x3xf32>
  return %sum : tensor<20x3xf32>
}

// Factors that only a run knows are read as they lie where they are used a few hundred times, and packed where they are used more often, or
// where all of their rows begin at the same place of a page.
// CHECK-LABEL: func.func @given
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: ins(%arg0, %arg1 : tensor<200x100xf32>, tensor<100x80xf32>)
func.func @given(%left: tensor<200x100xf32> {skriptnd.input = "x"}, %right: tensor<100x80xf32> {skriptnd.input = "w"},
    %start: tensor<200x80xf32>) -> tensor<200x80xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left, %right : tensor<200x100xf32>, tensor<100x80xf32>) outs(%start : tensor<200x80xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<200x80xf32>
  return %sum : tensor<200x80xf32>
}

// CHECK-LABEL: func.func @often
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: tensor<3x100x32xf32>)
func.func @often(%left: tensor<600x100xf32> {skriptnd.input = "x"}, %right: tensor<100x80xf32> {skriptnd.input = "w"},
    %start: tensor<600x80xf32>) -> tensor<600x80xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left, %right : tensor<600x100xf32>, tensor<100x80xf32>) outs(%start : tensor<600x80xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<600x80xf32>
  return %sum : tensor<600x80xf32>
}

// CHECK-LABEL: func.func @pages
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: tensor<32x100x32xf32>)
func.func @pages(%left: tensor<200x100xf32> {skriptnd.input = "x"}, %right: tensor<100x1024xf32> {skriptnd.input = "w"},
    %start: tensor<200x1024xf32>) -> tensor<200x1024xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left, %right : tensor<200x100xf32>, tensor<100x1024xf32>) outs(%start : tensor<200x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<200x1024xf32>
  return %sum : tensor<200x1024xf32>
}

// A row reads each weight once, of several tiles from lines that lie apart, as the weights are: panels lie beside each other.
// CHECK-LABEL: func.func @row
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-SAME: tensor<1x100xf32>, tensor<5x100x64xf32>)
func.func @row(%left: tensor<1x100xf32> {skriptnd.input = "x"}, %right: tensor<100x300xf32> {skriptnd.variable = "w"},
    %start: tensor<1x300xf32>) -> tensor<1x300xf32> {
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%left, %right : tensor<1x100xf32>, tensor<100x300xf32>) outs(%start : tensor<1x300xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x300xf32>
  return %sum : tensor<1x300xf32>
}
