// RUN: skriptnd-opt %s --codegen-fuse-elementwise --canonicalize --split-input-file | FileCheck %s

// What a reduction adds up is computed by it, through a chain and a tree of operations.
// CHECK-LABEL: func.func @sum
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8xf32>)
// CHECK: %[[EXP:.*]] = math.exp
// CHECK: %[[SINE:.*]] = math.sin
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[EXP]], %[[SINE]]
// CHECK: arith.addf %{{.*}}, %[[PRODUCT]]
// CHECK-NOT: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @sum(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4x8xf32>
  %small = tensor.empty() : tensor<8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %sine = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sin %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %product = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sine : tensor<4x8xf32>, tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%product : tensor<4x8xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// -----

// What two operations read that become one is computed once.
// CHECK-LABEL: func.func @diamond
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return
#id = affine_map<(i) -> (i)>
func.func @diamond(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %negated = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%exp : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %product = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%exp, %negated : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %product : tensor<?xf32>
}

// -----

// A difference is computed for both of its readers; an exponential is not.
// CHECK-LABEL: func.func @readers
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: arith.subf
// CHECK: math.exp
// CHECK: %[[ABS:.*]] = linalg.generic
// CHECK: arith.subf
// CHECK: math.absf
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @readers(%x: tensor<4x8xf32>, %m: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %empty = tensor.empty() : tensor<4x8xf32>
  %difference = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%difference : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %absolute = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%difference : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.absf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %negated = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %exp, %absolute, %negated : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// What stays: the factor of a product of matrices, which would be computed for each column; what is read in an order in
// which its operand has no neighbours; what requires something; and what follows a sum that nothing else reads.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-9: linalg.generic
// CHECK-NOT: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
#across = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func @kept(%x: tensor<8x8xf32>, %y: tensor<8xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) {
  %empty = tensor.empty() : tensor<8x8xf32>
  %small = tensor.empty() : tensor<8xf32>
  %one = tensor.empty() : tensor<f32>
  %factor = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%factor, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  %turned = linalg.generic {indexing_maps = [#across, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  %sine = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%turned : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sin %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %checked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.cmpf ogt, %a, %a : f32
    skriptnd.require %1, "too large" () {code = "shape-mismatch"} : (i1) -> ()
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  %absolute = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%checked : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.absf %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x8xf32>) outs(%small : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %roots = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sums : tensor<8xf32>) outs(%small : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sqrt %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%roots : tensor<8xf32>) outs(%one : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %product, %sine, %absolute, %sum : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
}

// -----

// A sum of several tensors, each added to what there is: one operation, which goes on with nothing.
// CHECK-LABEL: func.func @added
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: linalg.generic {{.*}} ins(%arg2, %arg1, %arg0, %arg4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, f32) outs(%[[EMPTY]] :
// CHECK-COUNT-3: arith.addf
// CHECK-NOT: linalg.generic
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @added(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %n: index, %start: f32) -> tensor<?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]}
      ins(%start : f32) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf32>) outs(%1 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%z : tensor<?xf32>) outs(%2 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// -----

// What a reduction has computed is added to where it is, and so is what something else reads as well.
// CHECK-LABEL: func.func @reduced
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} ins(%arg1 : tensor<4xf32>) outs(%[[SUM]] :
#all = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
func.func @reduced(%x: tensor<4x8xf32>, %y: tensor<4xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #left], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// What is stored in fewer bits is not computed again by those that read it: it becomes part of what computes it.
// CHECK-LABEL: func.func @stored
// CHECK: %[[BYTES:.*]] = linalg.generic
// CHECK-SAME: ins(%arg0 : tensor<8x16xf32>)
// CHECK: arith.fptosi
// CHECK: -> tensor<8x16xi8>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]} ins(%[[BYTES]] : tensor<8x16xi8>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[BYTES]] : tensor<8x16xi8>)
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @stored(%x: tensor<8x16xf32>, %start: tensor<8xi64>) -> (tensor<8xi64>, tensor<8x16xf32>) {
  %empty = tensor.empty() : tensor<8x16xi64>
  %bytes = tensor.empty() : tensor<8x16xi8>
  %reals = tensor.empty() : tensor<8x16xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xi64>) {
  ^bb0(%a: f32, %o: i64):
    %1 = arith.fptosi %a : f32 to i64
    linalg.yield %1 : i64
  } -> tensor<8x16xi64>
  %stored = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%rounded : tensor<8x16xi64>) outs(%bytes : tensor<8x16xi8>) {
  ^bb0(%a: i64, %o: i8):
    %1 = arith.trunci %a : i64 to i8
    linalg.yield %1 : i8
  } -> tensor<8x16xi8>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%stored : tensor<8x16xi8>) outs(%empty : tensor<8x16xi64>) {
  ^bb0(%a: i8, %o: i64):
    %1 = arith.extsi %a : i8 to i64
    linalg.yield %1 : i64
  } -> tensor<8x16xi64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<8x16xi64>) outs(%start : tensor<8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %1 = arith.addi %o, %a : i64
    linalg.yield %1 : i64
  } -> tensor<8xi64>
  %real = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide : tensor<8x16xi64>) outs(%reals : tensor<8x16xf32>) {
  ^bb0(%a: i64, %o: f32):
    %1 = arith.sitofp %a : i64 to f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  return %sum, %real : tensor<8xi64>, tensor<8x16xf32>
}

// -----

// What is cut to be stored is so where it is computed, and its readers load bytes, however short the cut is.
// CHECK-LABEL: func.func @cut
// CHECK: %[[STORED:.*]] = linalg.generic
// CHECK: arith.muli
// CHECK: arith.trunci
// CHECK: -> tensor<64x8xi8>
// CHECK-COUNT-2: ins(%[[STORED]] : tensor<64x8xi8>)
#same = affine_map<(i, j) -> (i, j)>
#line = affine_map<(i, j) -> (i)>
func.func @cut(%x: tensor<64x8xi8>, %start: tensor<64xi32>) -> (tensor<64x8xi32>, tensor<64xi32>) {
  %wide = tensor.empty() : tensor<64x8xi32>
  %narrow = tensor.empty() : tensor<64x8xi8>
  %computed = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x8xi8>) outs(%wide : tensor<64x8xi32>) {
  ^bb0(%a: i8, %o: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.muli %1, %1 : i32
    %3 = arith.divsi %2, %1 : i32
    linalg.yield %3 : i32
  } -> tensor<64x8xi32>
  %stored = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%computed : tensor<64x8xi32>) outs(%narrow : tensor<64x8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.trunci %a : i32 to i8
    linalg.yield %1 : i8
  } -> tensor<64x8xi8>
  %read = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%stored : tensor<64x8xi8>) outs(%wide : tensor<64x8xi32>) {
  ^bb0(%a: i8, %o: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.addi %1, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<64x8xi32>
  %sum = linalg.generic {indexing_maps = [#same, #line], iterator_types = ["parallel", "reduction"]}
      ins(%stored : tensor<64x8xi8>) outs(%start : tensor<64xi32>) {
  ^bb0(%a: i8, %o: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.addi %o, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<64xi32>
  return %read, %sum : tensor<64x8xi32>, tensor<64xi32>
}

// -----

// Sums that become bytes are stored so where two of them are added: what ends the last is computed with what adds them.
// CHECK-LABEL: func.func @ends
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: %[[BYTES:.*]] = linalg.generic {{.*}} ins(%[[FIRST]] : tensor<8xi32>)
// CHECK: -> tensor<8xi8>
// CHECK: %[[SECOND:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.generic {{.*}} ins(%[[BYTES]], %[[SECOND]] : tensor<8xi8>, tensor<8xi32>)
// CHECK: arith.shrsi
// CHECK: arith.trunci
// CHECK: arith.addi
#id = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @ends(%x: tensor<8x16xi32>, %y: tensor<8x16xi32>, %start: tensor<8xi32>) -> tensor<8xi32> {
  %four = arith.constant 4 : i32
  %words = tensor.empty() : tensor<8xi32>
  %bytes = tensor.empty() : tensor<8xi8>
  %first = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xi32>) outs(%start : tensor<8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = arith.addi %o, %a : i32
    linalg.yield %1 : i32
  } -> tensor<8xi32>
  %end = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%first : tensor<8xi32>) outs(%bytes : tensor<8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.shrsi %a, %four : i32
    %2 = arith.trunci %1 : i32 to i8
    linalg.yield %2 : i8
  } -> tensor<8xi8>
  %second = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x16xi32>) outs(%start : tensor<8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = arith.addi %o, %a : i32
    linalg.yield %1 : i32
  } -> tensor<8xi32>
  %other = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%second : tensor<8xi32>) outs(%bytes : tensor<8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %1 = arith.shrsi %a, %four : i32
    %2 = arith.trunci %1 : i32 to i8
    linalg.yield %2 : i8
  } -> tensor<8xi8>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%end, %other : tensor<8xi8>, tensor<8xi8>) outs(%words : tensor<8xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.addi %1, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<8xi32>
  return %sum : tensor<8xi32>
}
