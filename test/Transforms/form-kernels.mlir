// RUN: skriptnd-opt %s --codegen-form-kernels --split-input-file | FileCheck %s

// A product with what it begins with and what follows: one kernel, whose operations stand beside each other. What else is
// computed between stays before.
// CHECK-LABEL: func.func @product
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"}
// CHECK: linalg.generic {{.*}} {skriptnd.kernel = 0 : i64, skriptnd.part = "main"}
// CHECK: linalg.generic {{.*}} {skriptnd.kernel = 0 : i64, skriptnd.part = "epilogue"}
#map = affine_map<(m, n) -> (m, n)>
func.func @product(%x: tensor<28x64xf32>, %w: tensor<64x32xf32>, %z: tensor<28x32xf32>) -> tensor<28x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x32xf32>
  %initial = linalg.generic {indexing_maps = [affine_map<(m, n) -> ()>, #map], iterator_types = ["parallel", "parallel"]}
      ins(%zero : f32) outs(%empty : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<28x32xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<28x64xf32>, tensor<64x32xf32>) outs(%initial : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<28x32xf32>
  %empty1 = tensor.empty() : tensor<28x32xf32>
  %power = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<28x32xf32>) outs(%empty1 : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<28x32xf32>
  %empty2 = tensor.empty() : tensor<28x32xf32>
  %y = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %power : tensor<28x32xf32>, tensor<28x32xf32>) outs(%empty2 : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<28x32xf32>
  return %y : tensor<28x32xf32>
}

// -----

// Sums of the rows of [n, 4, 64], and what is divided by them, seen as [n * 4, 64]: the rows are the same, the first as two
// dimensions. The reshape of the sums goes with them.
// CHECK-LABEL: func.func @reshaped
// CHECK: math.exp
// CHECK: skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>
// CHECK: tensor.collapse_shape
// CHECK: skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @reshaped(%x: tensor<?x64xf32>, %s: tensor<?xf32>, %e: tensor<?x64xf32>, %z: tensor<?xf32>, %n: index)
    -> (tensor<?x64xf32>, tensor<?xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x64xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %wide = tensor.expand_shape %sum [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  %flat = tensor.collapse_shape %wide [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %power = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%z : tensor<?xf32>) outs(%z : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %flat : tensor<?x64xf32>, tensor<?xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %y, %power : tensor<?x64xf32>, tensor<?xf32>
}

// -----

// Rows of 10 elements are gone through 200 at a time.
// CHECK-LABEL: func.func @short
// CHECK-COUNT-2: skriptnd.block = 200 : i64, skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @short(%x: tensor<1000x10xf32>, %s: tensor<1000xf32>, %e: tensor<1000x10xf32>) -> tensor<1000x10xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1000x10xf32>) outs(%s : tensor<1000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<1000xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<1000x10xf32>, tensor<1000xf32>) outs(%e : tensor<1000x10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<1000x10xf32>
  return %y : tensor<1000x10xf32>
}

// -----

// Rows of one are the columns of the other: a difference needs all sums.
// CHECK-LABEL: func.func @across
// CHECK-NOT: skriptnd.kernel
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @across(%x: tensor<64x64xf32>, %s: tensor<64xf32>, %e: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// What stands between reads all sums, so these are there before.
// CHECK-LABEL: func.func @between
// CHECK-NOT: skriptnd.kernel
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @between(%x: tensor<64x64xf32>, %s: tensor<64xf32>, %e: tensor<64x64xf32>, %f: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %y, %z : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Read by two, the sums are stored, and no epilogue is part of them.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: "epilogue"
// CHECK: return
#one = affine_map<(i) -> (i)>
func.func @twice(%x: tensor<64x8xf32>, %e: tensor<64xf32>, %f: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %s = tensor.empty() : tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x8xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%sum : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %y, %sum : tensor<64xf32>, tensor<64xf32>
}

// -----

// The best element of each row and its index begin with one operation, which computes both.
// CHECK-LABEL: func.func @search
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<5xf32>, tensor<5xi64>) attrs = {skriptnd.kernel = 0 : i64, skriptnd.part = "initial"}
// CHECK: linalg.generic {{.*}} {skriptnd.kernel = 0 : i64, skriptnd.part = "main"}
// CHECK: linalg.index 1
// CHECK: return
#one = affine_map<(i) -> (i)>
func.func @search(%x: tensor<5x64xf32>) -> tensor<5xi64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5xf32>
  %first = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, #one], iterator_types = ["parallel"]}
      ins(%x : tensor<5x64xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  %f = tensor.empty() : tensor<5xi64>
  %none = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, #one], iterator_types = ["parallel"]}
      ins(%zero : i64) outs(%f : tensor<5xi64>) {
  ^bb0(%a: i64, %o: i64):
    linalg.yield %a : i64
  } -> tensor<5xi64>
  %found:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x64xf32>) outs(%first, %none : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%a: f32, %best: f32, %place: i64):
    %1 = arith.cmpf ogt, %a, %best : f32
    %2 = arith.select %1, %a, %best : f32
    %3 = linalg.index 1 : index
    %4 = arith.index_cast %3 : index to i64
    %5 = arith.select %1, %4, %place : i64
    linalg.yield %2, %5 : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %found#1 : tensor<5xi64>
}

// -----

// Rows of which no number between 4 and 8 is a divisor are blocks as well, the last of which is shorter: 13 rows are 7 and 6.
// CHECK-LABEL: func.func @merged
// CHECK: linalg.generic {{.*}} attrs = {{.*}}skriptnd.block = 7 : i64{{.*}}skriptnd.part = "main", skriptnd.rows = array<i64: 0, 1>
func.func @merged(%x: tensor<6x13x256xf32>, %begin: tensor<6x13xf32>, %empty: tensor<6x13x256xf32>) -> tensor<6x13x256xf32> {
  %most = linalg.generic {indexing_maps = [affine_map<(g, i, j) -> (g, i, j)>, affine_map<(g, i, j) -> (g, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<6x13x256xf32>) outs(%begin : tensor<6x13xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<6x13xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(g, i, j) -> (g, i, j)>, affine_map<(g, i, j) -> (g, i)>,
      affine_map<(g, i, j) -> (g, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %most : tensor<6x13x256xf32>, tensor<6x13xf32>) outs(%empty : tensor<6x13x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x13x256xf32>
  return %y : tensor<6x13x256xf32>
}

// -----

// Attention: the products around the rows of softmax become one kernel with them, and go through blocks of 16 queries, the last of 8.
// CHECK-LABEL: func.func @attention
// CHECK-COUNT-5: skriptnd.block = 16 : i64, skriptnd.kernel = 0 : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0, 1>
#left = affine_map<(h, m, n, k) -> (h, m, k)>
#right = affine_map<(h, m, n, k) -> (h, k, n)>
#sum = affine_map<(h, m, n, k) -> (h, m, n)>
#all = affine_map<(h, m, n) -> (h, m, n)>
#row = affine_map<(h, m, n) -> (h, m)>
func.func @attention(%q: tensor<2x200x64xf32>, %k: tensor<2x64x512xf32>, %v: tensor<2x512x64xf32>, %begin: tensor<2x200x512xf32>, %low: tensor<2x200xf32>,
    %zeros: tensor<2x200xf32>, %end: tensor<2x200x64xf32>) -> tensor<2x200x64xf32> {
  %scores = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x200x64xf32>, tensor<2x64x512xf32>) outs(%begin : tensor<2x200x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x200x512xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<2x200x512xf32>) outs(%low : tensor<2x200xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x200xf32>
  %empty = tensor.empty() : tensor<2x200x512xf32>
  %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %most : tensor<2x200x512xf32>, tensor<2x200xf32>) outs(%empty : tensor<2x200x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x200x512xf32>
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%powers : tensor<2x200x512xf32>) outs(%zeros : tensor<2x200xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x200xf32>
  %product = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%powers, %v : tensor<2x200x512xf32>, tensor<2x512x64xf32>) outs(%end : tensor<2x200x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x200x64xf32>
  %one = tensor.empty() : tensor<2x200x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%product, %sums : tensor<2x200x64xf32>, tensor<2x200xf32>) outs(%one : tensor<2x200x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x200x64xf32>
  return %y : tensor<2x200x64xf32>
}

// -----

// One product, behind which rows are reduced, has tiles of its own.
// CHECK-LABEL: func.func @scores
// CHECK-NOT: skriptnd.kernel
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#sum = affine_map<(m, n, k) -> (m, n)>
func.func @scores(%q: tensor<64x8xf32>, %k: tensor<8x128xf32>, %begin: tensor<64x128xf32>, %low: tensor<64xf32>) -> tensor<64xf32> {
  %scores = linalg.generic {indexing_maps = [#left, #right, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x8xf32>, tensor<8x128xf32>) outs(%begin : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x128xf32>
  %most = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<64x128xf32>) outs(%low : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %most : tensor<64xf32>
}

// -----

// What adds two products belongs to the kernel of the last one, so that the other is stored.
// CHECK-LABEL: func.func @both
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : {{.*}} {skriptnd.kernel = 0 : i64, skriptnd.part = "main"}
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg2 : {{.*}} {skriptnd.kernel = 1 : i64, skriptnd.part = "main"}
// CHECK: linalg.generic {{.*}} {skriptnd.kernel = 1 : i64, skriptnd.part = "epilogue"}
#map = affine_map<(m, n) -> (m, n)>
#product = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
func.func @both(%x: tensor<28x64xf32>, %y: tensor<28x64xf32>, %w: tensor<64x32xf32>) -> tensor<28x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x32xf32>
  %empty1 = tensor.empty() : tensor<28x32xf32>
  %empty2 = tensor.empty() : tensor<28x32xf32>
  %begin = linalg.generic {indexing_maps = [affine_map<(m, n) -> ()>, #map], iterator_types = ["parallel", "parallel"]}
      ins(%zero : f32) outs(%empty : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<28x32xf32>
  %first = linalg.generic {indexing_maps = #product, iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<28x64xf32>, tensor<64x32xf32>) outs(%begin : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<28x32xf32>
  %begin1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> ()>, #map], iterator_types = ["parallel", "parallel"]}
      ins(%zero : f32) outs(%empty1 : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<28x32xf32>
  %second = linalg.generic {indexing_maps = #product, iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %w : tensor<28x64xf32>, tensor<64x32xf32>) outs(%begin1 : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<28x32xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%first, %second : tensor<28x32xf32>, tensor<28x32xf32>) outs(%empty2 : tensor<28x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<28x32xf32>
  return %sum : tensor<28x32xf32>
}

// -----

// Lines of a convolution are turned as soon as they are there, where its filters are near meanwhile.
// CHECK-LABEL: func.func @turned
// CHECK: linalg.generic {{.*}}skriptnd.kernel = [[KERNEL:[0-9]+]] : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 0>}
// CHECK: linalg.generic {{.*}}skriptnd.kernel = [[KERNEL]] : i64, skriptnd.part = "main", skriptnd.rows = array<i64: 1>}
func.func @turned(%x: tensor<58x58x8xf32>, %w: tensor<3x3x8x32xf32>) -> tensor<32x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<56x56x32xf32>
  %initial = linalg.fill ins(%zero : f32) outs(%empty : tensor<56x56x32xf32>) -> tensor<56x56x32xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(y, x, m, c, u, v) -> (y + u, x + v, c)>, affine_map<(y, x, m, c, u, v) -> (u, v, c, m)>,
      affine_map<(y, x, m, c, u, v) -> (y, x, m)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<58x58x8xf32>, tensor<3x3x8x32xf32>) outs(%initial : tensor<56x56x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<56x56x32xf32>
  %turned = tensor.empty() : tensor<32x56x56xf32>
  %copy = linalg.generic {indexing_maps = [affine_map<(m, y, x) -> (y, x, m)>, affine_map<(m, y, x) -> (m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<56x56x32xf32>) outs(%turned : tensor<32x56x56xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<32x56x56xf32>
  return %copy : tensor<32x56x56xf32>
}

// -----

// Large filters would be read anew for each line.
// CHECK-LABEL: func.func @far
// CHECK: linalg.generic {{.*}}"reduction"{{.*}}
// CHECK-NOT: skriptnd.rows
// CHECK: return
func.func @far(%x: tensor<58x58x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<64x56x56xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<56x56x64xf32>
  %initial = linalg.fill ins(%zero : f32) outs(%empty : tensor<56x56x64xf32>) -> tensor<56x56x64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(y, x, m, c, u, v) -> (y + u, x + v, c)>, affine_map<(y, x, m, c, u, v) -> (u, v, c, m)>,
      affine_map<(y, x, m, c, u, v) -> (y, x, m)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%initial : tensor<56x56x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<56x56x64xf32>
  %turned = tensor.empty() : tensor<64x56x56xf32>
  %copy = linalg.generic {indexing_maps = [affine_map<(m, y, x) -> (y, x, m)>, affine_map<(m, y, x) -> (m, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<56x56x64xf32>) outs(%turned : tensor<64x56x56xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<64x56x56xf32>
  return %copy : tensor<64x56x56xf32>
}
