// RUN: skriptnd-opt %s --codegen-compute-in-fewer-bits --canonicalize --cse | FileCheck %s

#id = affine_map<(a) -> (a)>

// A real that is limited and rounded (by adding a number that has no bits for a fraction) becomes an integer, in which a zero
// point is added: 32 bits do, and no limits of 64.
// CHECK-LABEL: func.func @quantized(
// CHECK: arith.cmpf ord
// CHECK: arith.fptosi %{{.*}} : f32 to i32
// CHECK-NEXT: arith.addi %{{.*}} : i32
// CHECK-NEXT: arith.extsi %{{.*}} : i32 to i64
// CHECK-NEXT: linalg.yield
// It becomes a real again: it was one.
// CHECK: linalg.generic
// CHECK-NOT: fptosi
// CHECK-NOT: sitofp
// CHECK: return
func.func @quantized(%x: tensor<9xf32>) -> (tensor<9xi64>, tensor<9xf32>) {
  %lowest = arith.constant -9.22337203E+18 : f32
  %highest = arith.constant 9.22337203E+18 : f32
  %shift = arith.constant 12582912.0 : f32
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %point = arith.constant 7 : i64
  %smallest = arith.constant -9223372036854775808 : i64
  %empty = tensor.empty() : tensor<9xi64>
  %integers = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%empty : tensor<9xi64>) {
    ^bb0(%e: f32, %o: i64):
      %low = arith.maximumf %e, %zero : f32
      %limited = arith.minimumf %low, %most : f32
      %shifted = arith.addf %limited, %shift : f32
      %whole = arith.subf %shifted, %shift : f32
      %above = arith.cmpf oge, %whole, %lowest : f32
      %below = arith.cmpf olt, %whole, %highest : f32
      %fits = arith.andi %above, %below : i1
      %number = arith.select %fits, %whole, %zero : f32
      %integer = arith.fptosi %number : f32 to i64
      %under = arith.cmpf olt, %whole, %lowest : f32
      %taken = arith.select %under, %smallest, %integer : i64
      %moved = arith.addi %taken, %point : i64
      linalg.yield %moved : i64
  } -> tensor<9xi64>
  %reals = tensor.empty() : tensor<9xf32>
  %again = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%reals : tensor<9xf32>) {
    ^bb0(%e: f32, %o: f32):
      %low = arith.maximumf %e, %zero : f32
      %limited = arith.minimumf %low, %most : f32
      %shifted = arith.addf %limited, %shift : f32
      %whole = arith.subf %shifted, %shift : f32
      %is = arith.cmpf ord, %whole, %whole : f32
      %number = arith.select %is, %whole, %zero : f32
      %integer = arith.fptosi %number : f32 to i64
      %real = arith.sitofp %integer : i64 to f32
      linalg.yield %real : f32
  } -> tensor<9xf32>
  return %integers, %again : tensor<9xi64>, tensor<9xf32>
}

// Remainders of numbers below the divisor are these, others are limited by it.
// CHECK-LABEL: func.func @remainders(
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK-NEXT: arith.sitofp %{{.*}} : i32 to f32
// CHECK: arith.remsi %{{.*}} : i64
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK-NEXT: arith.sitofp %{{.*}} : i32 to f32
func.func @remainders(%x: tensor<9xi8>, %y: tensor<9xi64>) -> (tensor<9xf32>, tensor<9xf32>) {
  %divisor = arith.constant 256 : i64
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<9xf32>
  %bytes = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<9xi8>) outs(%empty : tensor<9xf32>) {
    ^bb0(%e: i8, %o: f32):
      %wide = arith.extui %e : i8 to i64
      %rest = arith.remsi %wide, %divisor : i64
      %negative = arith.cmpi slt, %rest, %zero : i64
      %more = arith.addi %rest, %divisor : i64
      %floored = arith.select %negative, %more, %rest : i64
      %real = arith.sitofp %floored : i64 to f32
      linalg.yield %real : f32
  } -> tensor<9xf32>
  %any = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<9xi64>) outs(%empty : tensor<9xf32>) {
    ^bb0(%e: i64, %o: f32):
      %rest = arith.remsi %e, %divisor : i64
      %real = arith.sitofp %rest : i64 to f32
      linalg.yield %real : f32
  } -> tensor<9xf32>
  return %bytes, %any : tensor<9xf32>, tensor<9xf32>
}

// What 32 bits may not hold stays.
// CHECK-LABEL: func.func @wide(
// CHECK: arith.fptosi %{{.*}} : f32 to i64
// CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f32
func.func @wide(%x: tensor<9xf32>) -> tensor<9xf32> {
  %empty = tensor.empty() : tensor<9xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%empty : tensor<9xf32>) {
    ^bb0(%e: f32, %o: f32):
      %integer = arith.fptosi %e : f32 to i64
      %real = arith.sitofp %integer : i64 to f32
      linalg.yield %real : f32
  } -> tensor<9xf32>
  return %result : tensor<9xf32>
}

// A comparison with what may be no number, which fails, tells nothing: the other value may be anything.
// CHECK-LABEL: func.func @compared(
// CHECK: arith.fptosi %{{.*}} : f32 to i64
// CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f32
func.func @compared(%x: tensor<9xf32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %empty = tensor.empty() : tensor<9xf32>
  %result = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<9xf32>, tensor<9xf32>) outs(%empty : tensor<9xf32>) {
    ^bb0(%e: f32, %f: f32, %o: f32):
      %low = arith.maximumf %f, %least : f32
      %limit = arith.minimumf %low, %most : f32
      %above = arith.cmpf ogt, %e, %limit : f32
      %greater = arith.select %above, %limit, %e : f32
      %below = arith.cmpf olt, %greater, %least : f32
      %limited = arith.select %below, %least, %greater : f32
      %integer = arith.fptosi %limited : f32 to i64
      %real = arith.sitofp %integer : i64 to f32
      linalg.yield %real : f32
  } -> tensor<9xf32>
  return %result : tensor<9xf32>
}

// An argument is between numbers that the function says, with which 32 bits are enough. Without them, 64 are needed.
// CHECK-LABEL: func.func @told(
// CHECK: arith.addi %{{.*}} : i32
// CHECK-LABEL: func.func @untold(
// CHECK: arith.addi %{{.*}} : i64
func.func @told(%x: tensor<9xi16>, %bias: tensor<9xi32> {skriptnd.encoding = #skriptnd.encoding<-2147450880 to 2147450880>}) -> tensor<9xi64> {
  %empty = tensor.empty() : tensor<9xi64>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %bias : tensor<9xi16>, tensor<9xi32>) outs(%empty : tensor<9xi64>) {
    ^bb0(%e: i16, %b: i32, %o: i64):
      %wide = arith.extsi %e : i16 to i64
      %added = arith.extsi %b : i32 to i64
      %sum = arith.addi %wide, %added : i64
      linalg.yield %sum : i64
  } -> tensor<9xi64>
  return %y : tensor<9xi64>
}
func.func @untold(%x: tensor<9xi16>, %bias: tensor<9xi32> {skriptnd.encoding = #skriptnd.encoding<-2147450881 to 2147450880>}) -> tensor<9xi64> {
  %empty = tensor.empty() : tensor<9xi64>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %bias : tensor<9xi16>, tensor<9xi32>) outs(%empty : tensor<9xi64>) {
    ^bb0(%e: i16, %b: i32, %o: i64):
      %wide = arith.extsi %e : i16 to i64
      %added = arith.extsi %b : i32 to i64
      %sum = arith.addi %wide, %added : i64
      linalg.yield %sum : i64
  } -> tensor<9xi64>
  return %y : tensor<9xi64>
}

// The lowest bits of a sum are those of its operands' lowest bits, however large it is.
// CHECK-LABEL: func.func @cut
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: linalg.yield %[[SUM]] : i32
func.func @cut(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %empty = tensor.empty() : tensor<4xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%empty : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %1 = arith.extsi %x : i32 to i64
    %2 = arith.extsi %y : i32 to i64
    %3 = arith.addi %1, %2 : i64
    %4 = arith.trunci %3 : i64 to i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  return %sum : tensor<4xi32>
}

// So are those of a sum that was stored in fewer bits between.
// CHECK-LABEL: func.func @stored_between
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: arith.maxsi %[[SUM]]
func.func @stored_between(%a: tensor<4xi32> {skriptnd.encoding = #skriptnd.encoding<-1000 to 1000>}, %b: tensor<4xi32> {skriptnd.encoding = #skriptnd.encoding<-1000 to 1000>}) -> tensor<4xi32> {
  %empty = tensor.empty() : tensor<4xi32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%empty : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %1 = arith.extsi %x : i32 to i64
    %2 = arith.extsi %y : i32 to i64
    %3 = arith.addi %1, %2 : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.extsi %4 : i32 to i64
    %6 = arith.trunci %5 : i64 to i32
    %7 = arith.maxsi %6, %y : i32
    linalg.yield %7 : i32
  } -> tensor<4xi32>
  return %sum : tensor<4xi32>
}

// The lowest byte of a real as 64 bits: those beyond 32 bits have none but where all are set, so that what guards the conversion and what
// gives the least integer say nothing.
// CHECK-LABEL: func.func @byte(
// CHECK: ^bb0
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpf oge, %in, %{{.*}} : f32
// CHECK-NEXT: %[[SIZE:.*]] = math.absf %in : f32
// CHECK-NEXT: %[[FITS:.*]] = arith.cmpf olt, %[[SIZE]], %{{.*}} : f32
// CHECK-NEXT: %[[NEAR:.*]] = arith.select %[[FITS]], %in, %{{.*}} : f32
// CHECK-NEXT: %[[WORD:.*]] = arith.fptosi %[[NEAR]] : f32 to i32
// CHECK-NEXT: %[[ALL:.*]] = arith.select %[[ABOVE]], %{{.*}}, %[[WORD]] : i32
// CHECK-NEXT: arith.trunci %[[ALL]] : i32 to i8
// CHECK-NEXT: linalg.yield
func.func @byte(%x: tensor<9xf32>) -> tensor<9xi8> {
  %most = arith.constant 9223372036854775807 : i64
  %least = arith.constant -9223372036854775808 : i64
  %zero = arith.constant 0.0 : f32
  %high = arith.constant 9.22337203E+18 : f32
  %low = arith.constant -9.22337203E+18 : f32
  %empty = tensor.empty() : tensor<9xi8>
  %bytes = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%empty : tensor<9xi8>) {
    ^bb0(%in: f32, %out: i8):
      %above = arith.cmpf oge, %in, %high : f32
      %from = arith.cmpf oge, %in, %low : f32
      %to = arith.cmpf olt, %in, %high : f32
      %fits = arith.andi %from, %to : i1
      %guarded = arith.select %fits, %in, %zero : f32
      %integer = arith.fptosi %guarded : f32 to i64
      %below = arith.cmpf olt, %in, %low : f32
      %limited = arith.select %above, %most, %integer : i64
      %all = arith.select %below, %least, %limited : i64
      %byte = arith.trunci %all : i64 to i8
      linalg.yield %byte : i8
  } -> tensor<9xi8>
  return %bytes : tensor<9xi8>
}
