// RUN: skriptnd-opt %s --codegen-inline-numbers --canonicalize --codegen-requantize-in-words --canonicalize --cse | FileCheck %s
// RUN: skriptnd-opt %s --pass-pipeline="builtin.module(codegen-set-target{triple=hexagon-unknown-linux-musl cpu=hexagonv66},func.func(codegen-inline-numbers,canonicalize,codegen-requantize-in-words,canonicalize,cse))" | FileCheck %s --check-prefix=PACKETS

#id = affine_map<(a, b) -> (a, b)>
#last = affine_map<(a, b) -> (b)>
#one = affine_map<(a, b) -> ()>

// Multipliers and shift are variables: the sum is limited and doubled by prepared numbers, and the upper word of the product is
// rounded. Nothing of 64 bits is left for a run but the sum as it is given and the result. A number that is prepared, too, tells where no sum
// is limited or doubled; on Hexagon all are.
// CHECK-LABEL: func.func @prepared(
// CHECK-COUNT-2: math.ctlz
// CHECK: linalg.generic {{.*}} ins(%arg0, {{.*}} : tensor<4x8xi64>
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK-NEXT: arith.maxsi %{{.*}} : i32
// CHECK-NEXT: arith.minsi %{{.*}} : i32
// CHECK-NEXT: %[[DOUBLED:.*]] = arith.shli %{{.*}} : i32
// CHECK-NEXT: %[[ENOUGH:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32 : i32
// CHECK-NEXT: arith.select %[[ENOUGH]], %{{.*}}, %[[DOUBLED]] : i32
// CHECK-NEXT: arith.mulsi_extended %{{.*}} : i32
// CHECK-NEXT: arith.addi %{{.*}} : i32
// CHECK-NEXT: arith.shrsi %{{.*}} : i32
// CHECK-NEXT: arith.addi %{{.*}}, %c117_i32 : i32
// CHECK-NEXT: arith.maxsi %{{.*}} : i32
// CHECK-NEXT: arith.minsi %{{.*}} : i32
// CHECK-NEXT: arith.extsi %{{.*}} : i32 to i64
// PACKETS-LABEL: func.func @prepared(
// PACKETS: arith.minsi %{{.*}} : i32
// PACKETS-NEXT: arith.shli %{{.*}} : i32
// PACKETS-NEXT: arith.mulsi_extended %{{.*}} : i32
func.func @prepared(%x: tensor<4x8xi64> {skriptnd.encoding = #skriptnd.encoding<-1000000 to 1000000>},
    %m: tensor<8xi64> {skriptnd.encoding = #skriptnd.encoding<0 to 2147483647>, skriptnd.variable = "m"},
    %s: tensor<i64> {skriptnd.variable = "s"}) -> tensor<4x8xi64> {
  %zeros = arith.constant dense<117> : tensor<i64>
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %last = arith.constant 61 : i64
  %empty = tensor.empty() : tensor<4x8xi64>
  %y = linalg.generic {indexing_maps = [#id, #last, #one, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %s, %zeros : tensor<4x8xi64>, tensor<8xi64>, tensor<i64>, tensor<i64>) outs(%empty : tensor<4x8xi64>) {
    ^bb0(%e: i64, %f: i64, %t: i64, %z: i64, %o: i64):
      %low = arith.maxsi %t, %one : i64
      %r = arith.minsi %low, %last : i64
      %product = arith.muli %e, %f : i64
      %before = arith.addi %r, %minus : i64
      %half = arith.shli %one, %before : i64
      %more = arith.addi %product, %half : i64
      %shifted = arith.shrsi %more, %r : i64
      %moved = arith.addi %shifted, %z : i64
      %up = arith.maxsi %moved, %least : i64
      %given = arith.minsi %up, %most : i64
      linalg.yield %given : i64
  } -> tensor<4x8xi64>
  return %y : tensor<4x8xi64>
}

// Both multipliers are known, and what they multiply has more bits than bytes: 20480 and 12288 are their upper bits, the lower ones are 1 and 2.
// CHECK-LABEL: func.func @known(
// CHECK: arith.muli %{{.*}}, %c12288_i32 : i32
// CHECK: arith.muli %{{.*}}, %c20480_i32 : i32
// CHECK: arith.muli %{{.*}}, %c2_i32 : i32
// CHECK: arith.shrsi %{{.*}}, %c16_i32 : i32
// CHECK: arith.shrsi %{{.*}}, %c14_i32 : i32
func.func @known(%x: tensor<4x8xi64> {skriptnd.encoding = #skriptnd.encoding<-300 to 300>},
    %y: tensor<4x8xi64> {skriptnd.encoding = #skriptnd.encoding<-300 to 300>}) -> tensor<4x8xi64> {
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %half = arith.constant 536870912 : i64
  %s = arith.constant 30 : i64
  %both = arith.constant dense<[1342177281, 805306370]> : tensor<2xi64>
  %first = tensor.extract_slice %both[0] [1] [1] : tensor<2xi64> to tensor<1xi64>
  %l = tensor.collapse_shape %first [] : tensor<1xi64> into tensor<i64>
  %second = tensor.extract_slice %both[1] [1] [1] : tensor<2xi64> to tensor<1xi64>
  %r = tensor.collapse_shape %second [] : tensor<1xi64> into tensor<i64>
  %empty = tensor.empty() : tensor<4x8xi64>
  %z = linalg.generic {indexing_maps = [#id, #id, #one, #one, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %l, %r : tensor<4x8xi64>, tensor<4x8xi64>, tensor<i64>, tensor<i64>) outs(%empty : tensor<4x8xi64>) {
    ^bb0(%e: i64, %f: i64, %m: i64, %n: i64, %o: i64):
      %p = arith.muli %e, %m : i64
      %q = arith.muli %f, %n : i64
      %sum = arith.addi %p, %q : i64
      %more = arith.addi %sum, %half : i64
      %shifted = arith.shrsi %more, %s : i64
      %up = arith.maxsi %shifted, %least : i64
      %given = arith.minsi %up, %most : i64
      linalg.yield %given : i64
  } -> tensor<4x8xi64>
  return %z : tensor<4x8xi64>
}

// A multiplier that a run gives stays as it is.
// CHECK-LABEL: func.func @given(
// CHECK-NOT: mulsi_extended
// CHECK: arith.shrsi %{{.*}} : i64
// CHECK-NOT: mulsi_extended
func.func @given(%x: tensor<4x8xi64> {skriptnd.encoding = #skriptnd.encoding<-1000000 to 1000000>},
    %m: tensor<8xi64> {skriptnd.encoding = #skriptnd.encoding<0 to 2147483647>}) -> tensor<4x8xi64> {
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %half = arith.constant 536870912 : i64
  %s = arith.constant 30 : i64
  %empty = tensor.empty() : tensor<4x8xi64>
  %y = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x8xi64>, tensor<8xi64>) outs(%empty : tensor<4x8xi64>) {
    ^bb0(%e: i64, %f: i64, %o: i64):
      %product = arith.muli %e, %f : i64
      %more = arith.addi %product, %half : i64
      %shifted = arith.shrsi %more, %s : i64
      %up = arith.maxsi %shifted, %least : i64
      %given = arith.minsi %up, %most : i64
      linalg.yield %given : i64
  } -> tensor<4x8xi64>
  return %y : tensor<4x8xi64>
}
