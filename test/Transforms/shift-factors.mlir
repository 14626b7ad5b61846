// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=cascadelake" --codegen-shift-factors --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: skriptnd-opt %s --codegen-set-target="triple=hexagon-unknown-linux-musl cpu=hexagonv67+hvxv67+hvx-length128b" --codegen-shift-factors --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,HVX
// RUN: skriptnd-opt %s --codegen-set-target="triple=x86_64-unknown-linux-gnu cpu=x86-64-v3" --codegen-shift-factors --canonicalize --cse | FileCheck %s --check-prefix=AVX2

#left = affine_map<(a, b, c) -> (a, c)>
#right = affine_map<(a, b, c) -> (c, b)>
#out = affine_map<(a, b, c) -> (a, b)>

// VNNI multiplies bytes without a sign by bytes with one: the input gets 128 added, and what that adds to the sums, 128 times those
// of the filter's columns, is taken from them. HVX takes words of the input as they are, and the filter without signs.
// CHECK-LABEL: func.func @signed(
// VNNI: linalg.generic {{.*}} ins(%arg0 : tensor<8x64xi8>)
// HVX: linalg.generic {{.*}} ins(%arg1 : tensor<64x32xi8>)
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.subi %{{.*}}, %c-128_i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
// VNNI: iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %arg1
// VNNI: arith.extui %{{.*}} : i8 to i32
// VNNI: arith.extsi %{{.*}} : i8 to i32
// VNNI: iterator_types = ["reduction", "parallel"]{{.*}} ins(%arg1 : tensor<64x32xi8>)
// HVX: iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%arg0, %
// HVX: arith.extsi %{{.*}} : i8 to i32
// HVX: arith.extui %{{.*}} : i8 to i32
// HVX: iterator_types = ["parallel", "reduction"]{{.*}} ins(%arg0 : tensor<8x64xi8>)
// CHECK: arith.muli %{{.*}}, %c-128_i32

// What fits is left as it is.
// AVX2-LABEL: func.func @signed(
// AVX2-COUNT-2: arith.extsi
// AVX2-NOT: trunci
// AVX2: return
func.func @signed(%x: tensor<8x64xi8> {skriptnd.input = "x"}, %w: tensor<64x32xi8> {skriptnd.variable = "w"}) -> tensor<8x32xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x32xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%zero : i32) outs(%empty : tensor<8x32xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
  } -> tensor<8x32xi32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xi8>, tensor<64x32xi8>) outs(%zeros : tensor<8x32xi32>) {
    ^bb0(%a: i8, %b: i8, %o: i32):
      %l = arith.extsi %a : i8 to i32
      %r = arith.extsi %b : i8 to i32
      %m = arith.muli %l, %r : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
  } -> tensor<8x32xi32>
  return %sums : tensor<8x32xi32>
}

// Windows of a padded image: numbers from -100 to 155, stored in 16 bits, are bytes without a sign less -100, of which padding has 100, or with one less 28. HVX needs
// the sums of windows of what is stored: along channels, then along the window.
// CHECK-LABEL: func.func @windows(
// VNNI: arith.subi %{{.*}}, %c-100_i32
// HVX: arith.subi %{{.*}}, %c28_i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK: tensor.pad
// VNNI: tensor.yield %c100_i8
// HVX: tensor.yield %c-28_i8
// CHECK: "reduction", "reduction", "reduction"
// VNNI: arith.extui
// VNNI: arith.extsi
// VNNI: "reduction", "reduction", "reduction", "parallel"
// VNNI: arith.muli %{{.*}}, %c-100_i32
// HVX: arith.extsi
// HVX: arith.extui
// HVX: tensor.empty() : tensor<3x3xi32>
// HVX: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// HVX: arith.muli %{{.*}}, %c28_i32
// HVX: arith.muli %{{.*}}, %c-128_i32
func.func @windows(%x: tensor<6x6x16xi16>, %w: tensor<3x3x16x32xi8> {skriptnd.variable = "w"}) -> tensor<6x6x32xi32> {
  %low = arith.constant -100 : i16
  %high = arith.constant 155 : i16
  %zero = arith.constant 0 : i16
  %none = arith.constant 0 : i32
  %i = tensor.empty() : tensor<6x6x16xi16>
  %limited = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<6x6x16xi16>) outs(%i : tensor<6x6x16xi16>) {
    ^bb0(%e: i16, %o: i16):
      %a = arith.maxsi %e, %low : i16
      %b = arith.minsi %a, %high : i16
      linalg.yield %b : i16
  } -> tensor<6x6x16xi16>
  %padded = tensor.pad %limited low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index):
      tensor.yield %zero : i16
  } : tensor<6x6x16xi16> to tensor<8x8x16xi16>
  %empty = tensor.empty() : tensor<6x6x32xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> ()>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%none : i32) outs(%empty : tensor<6x6x32xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
  } -> tensor<6x6x32xi32>
  %sums = linalg.generic {indexing_maps = [affine_map<(h, w, n, u, v, c) -> (h + u, w + v, c)>, affine_map<(h, w, n, u, v, c) -> (u, v, c, n)>,
      affine_map<(h, w, n, u, v, c) -> (h, w, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%padded, %w : tensor<8x8x16xi16>, tensor<3x3x16x32xi8>) outs(%zeros : tensor<6x6x32xi32>) {
    ^bb0(%a: i16, %b: i8, %o: i32):
      %l = arith.extsi %a : i16 to i32
      %r = arith.extsi %b : i8 to i32
      %m = arith.muli %l, %r : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
  } -> tensor<6x6x32xi32>
  return %sums : tensor<6x6x32xi32>
}

// Numbers of 16 bits without a sign are numbers with one where instructions multiply these: less 32768, which the sums of the filter make good.
// CHECK-LABEL: func.func @words(
// VNNI: arith.extui %{{.*}} : i16 to i32
// VNNI: arith.subi %{{.*}}, %c32768_i32
// VNNI: arith.trunci %{{.*}} : i32 to i16
// VNNI: arith.muli %{{.*}}, %c32768_i32
// AVX2-LABEL: func.func @words(
// AVX2: arith.subi %{{.*}}, %c32768_i32
// AVX2: arith.trunci %{{.*}} : i32 to i16
// AVX2: arith.muli %{{.*}}, %c32768_i32
func.func @words(%x: tensor<8x64xi16> {skriptnd.input = "x"}, %w: tensor<64x32xi8> {skriptnd.variable = "w"}) -> tensor<8x32xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x32xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%zero : i32) outs(%empty : tensor<8x32xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
  } -> tensor<8x32xi32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xi16>, tensor<64x32xi8>) outs(%zeros : tensor<8x32xi32>) {
    ^bb0(%a: i16, %b: i8, %o: i32):
      %l = arith.extui %a : i16 to i32
      %r = arith.extsi %b : i8 to i32
      %m = arith.muli %l, %r : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
  } -> tensor<8x32xi32>
  return %sums : tensor<8x32xi32>
}

// What stands for 0 is told by the run: the bytes are multiplied as they are, and it is taken from them as often as the filter's columns
// add up to. Padding has numbers that are 0 behind that, so such factors stay as they are.
// CHECK-LABEL: func.func @zeros(
// VNNI: iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x64xi8>, tensor<64x32xi8>)
// HVX: iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x64xi8>, tensor<64x32xi8>)
// CHECK: iterator_types = ["reduction", "parallel"]{{.*}} ins(%{{.*}} : tensor<64x32xi8>)
// CHECK: %[[ZERO:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[TIMES:.*]] = arith.muli %{{.*}}, %[[ZERO]] : i32
// CHECK: arith.subi %{{.*}}, %[[TIMES]] : i32
// CHECK-LABEL: func.func @border(
// CHECK: tensor.pad
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x64xi16>,
// AVX2-LABEL: func.func @zeros(
// AVX2: iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x64xi16>, tensor<64x32xi8>)
func.func @zeros(%x: tensor<8x64xi8> {skriptnd.input = "x"}, %z: tensor<i64> {skriptnd.input = "z"},
                 %w: tensor<64x32xi8> {skriptnd.variable = "w"}) -> tensor<8x32xi32> {
  %zero = arith.constant 0 : i32
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %limited = tensor.empty() : tensor<i64>
  %byte = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%z : tensor<i64>) outs(%limited : tensor<i64>) {
    ^bb0(%e: i64, %o: i64):
      %a = arith.maxsi %e, %least : i64
      %b = arith.minsi %a, %most : i64
      linalg.yield %b : i64
  } -> tensor<i64>
  %room = tensor.empty() : tensor<8x64xi16>
  %centered = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %byte : tensor<8x64xi8>, tensor<i64>) outs(%room : tensor<8x64xi16>) {
    ^bb0(%e: i8, %n: i64, %o: i16):
      %wide = arith.extui %e : i8 to i64
      %d = arith.subi %wide, %n : i64
      %t = arith.trunci %d : i64 to i16
      linalg.yield %t : i16
  } -> tensor<8x64xi16>
  %empty = tensor.empty() : tensor<8x32xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%zero : i32) outs(%empty : tensor<8x32xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
  } -> tensor<8x32xi32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%centered, %w : tensor<8x64xi16>, tensor<64x32xi8>) outs(%zeros : tensor<8x32xi32>) {
    ^bb0(%a: i16, %b: i8, %o: i32):
      %l = arith.extsi %a : i16 to i32
      %r = arith.extsi %b : i8 to i32
      %m = arith.muli %l, %r : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
  } -> tensor<8x32xi32>
  return %sums : tensor<8x32xi32>
}

func.func @border(%x: tensor<6x64xi8> {skriptnd.input = "x"}, %z: tensor<i64> {skriptnd.input = "z"},
                  %w: tensor<64x32xi8> {skriptnd.variable = "w"}) -> tensor<8x32xi32> {
  %zero = arith.constant 0 : i32
  %nothing = arith.constant 0 : i16
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %limited = tensor.empty() : tensor<i64>
  %byte = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%z : tensor<i64>) outs(%limited : tensor<i64>) {
    ^bb0(%e: i64, %o: i64):
      %a = arith.maxsi %e, %least : i64
      %b = arith.minsi %a, %most : i64
      linalg.yield %b : i64
  } -> tensor<i64>
  %room = tensor.empty() : tensor<6x64xi16>
  %centered = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %byte : tensor<6x64xi8>, tensor<i64>) outs(%room : tensor<6x64xi16>) {
    ^bb0(%e: i8, %n: i64, %o: i16):
      %wide = arith.extui %e : i8 to i64
      %d = arith.subi %wide, %n : i64
      %t = arith.trunci %d : i64 to i16
      linalg.yield %t : i16
  } -> tensor<6x64xi16>
  %padded = tensor.pad %centered low[1, 0] high[1, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %nothing : i16
  } : tensor<6x64xi16> to tensor<8x64xi16>
  %empty = tensor.empty() : tensor<8x32xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%zero : i32) outs(%empty : tensor<8x32xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
  } -> tensor<8x32xi32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %w : tensor<8x64xi16>, tensor<64x32xi8>) outs(%zeros : tensor<8x32xi32>) {
    ^bb0(%a: i16, %b: i8, %o: i32):
      %l = arith.extsi %a : i16 to i32
      %r = arith.extsi %b : i8 to i32
      %m = arith.muli %l, %r : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
  } -> tensor<8x32xi32>
  return %sums : tensor<8x32xi32>
}

// Of how many products are added up only a run knows: on HVX, whole groups of them, with zeros behind both factors.
// HVX-LABEL: func.func @open_sum(
// HVX: arith.divsi
// HVX: tensor.pad %arg0
// HVX: tensor.expand_shape %{{.*}} : tensor<16x?xi8> into tensor<16x?x4xi8>
// HVX: tensor.expand_shape %{{.*}} : tensor<?x32xi8> into tensor<?x4x32xi8>
// HVX: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// VNNI-LABEL: func.func @open_sum(
// VNNI-NOT: expand_shape
// VNNI: return
func.func @open_sum(%x: tensor<16x?xi8> {skriptnd.input = "x"}, %v: tensor<?x32xi8> {skriptnd.input = "v"}) -> tensor<16x32xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<16x32xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%zero : i32) outs(%empty : tensor<16x32xi32>) {
    ^bb0(%e: i32, %o: i32):
      linalg.yield %e : i32
  } -> tensor<16x32xi32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %v : tensor<16x?xi8>, tensor<?x32xi8>) outs(%zeros : tensor<16x32xi32>) {
    ^bb0(%a: i8, %b: i8, %o: i32):
      %l = arith.extsi %a : i8 to i32
      %r = arith.extsi %b : i8 to i32
      %m = arith.muli %l, %r : i32
      %s = arith.addi %o, %m : i32
      linalg.yield %s : i32
  } -> tensor<16x32xi32>
  return %sums : tensor<16x32xi32>
}
