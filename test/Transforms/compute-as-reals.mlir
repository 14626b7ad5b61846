// RUN: skriptnd-opt %s --codegen-compute-in-fewer-bits --canonicalize | FileCheck %s

// A quantized element: rounded, moved by the zero point, limited to a byte, and moved back. What is not a number was 0, and
// what is beyond 64 bits has wrapped where the zero point was added.
// CHECK-LABEL: func.func @quantized(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -1.190000e+02 : f32
// CHECK-DAG: %[[MOST:.*]] = arith.constant 1.360000e+02 : f32
// CHECK-DAG: %[[BEYOND:.*]] = arith.constant 9.22337203E+18 : f32
// CHECK: %[[WHOLE:.*]] = math.round %[[X]]
// CHECK: arith.cmpf olt, %[[WHOLE]], %[[LEAST]]
// CHECK: arith.cmpf ogt, %{{.*}}, %[[MOST]]
// CHECK: arith.cmpf oge, %[[WHOLE]], %[[BEYOND]]
// CHECK: arith.cmpf oeq, %[[WHOLE]], %[[WHOLE]]
// CHECK-NOT: i64
// CHECK: return %{{.*}} : f32
func.func @quantized(%x: f32) -> f32 {
  %whole = math.round %x : f32
  %low = arith.constant -9.22337203E+18 : f32
  %high = arith.constant 9.22337203E+18 : f32
  %zero = arith.constant 0.0 : f32
  %smallest = arith.constant -9223372036854775808 : i64
  %largest = arith.constant 9223372036854775807 : i64
  %point = arith.constant 119 : i64
  %back = arith.constant -119 : i64
  %least = arith.constant 0 : i64
  %most = arith.constant 255 : i64
  %above = arith.cmpf oge, %whole, %high : f32
  %not_below = arith.cmpf oge, %whole, %low : f32
  %not_above = arith.cmpf olt, %whole, %high : f32
  %fits = arith.andi %not_below, %not_above : i1
  %convertible = arith.select %fits, %whole, %zero : f32
  %converted = arith.fptosi %convertible : f32 to i64
  %below = arith.cmpf olt, %whole, %low : f32
  %upper = arith.select %above, %largest, %converted : i64
  %integer = arith.select %below, %smallest, %upper : i64
  %moved = arith.addi %integer, %point : i64
  %larger = arith.maxsi %moved, %least : i64
  %limited = arith.minsi %larger, %most : i64
  %again = arith.addi %limited, %back : i64
  %result = arith.sitofp %again : i64 to f32
  return %result : f32
}

// An integer without limits stays one, and so does one beyond what f32 has exactly.
// CHECK-LABEL: func.func @unlimited(
// CHECK: arith.fptosi
// CHECK: arith.sitofp
// CHECK: arith.sitofp
func.func @unlimited(%x: f32) -> (f32, f32) {
  %low = arith.constant -9.22337203E+18 : f32
  %high = arith.constant 9.22337203E+18 : f32
  %zero = arith.constant 0.0 : f32
  %smallest = arith.constant -9223372036854775808 : i64
  %largest = arith.constant 9223372036854775807 : i64
  %least = arith.constant 0 : i64
  %most = arith.constant 16777217 : i64
  %above = arith.cmpf oge, %x, %high : f32
  %not_below = arith.cmpf oge, %x, %low : f32
  %not_above = arith.cmpf olt, %x, %high : f32
  %fits = arith.andi %not_below, %not_above : i1
  %convertible = arith.select %fits, %x, %zero : f32
  %converted = arith.fptosi %convertible : f32 to i64
  %below = arith.cmpf olt, %x, %low : f32
  %upper = arith.select %above, %largest, %converted : i64
  %integer = arith.select %below, %smallest, %upper : i64
  %larger = arith.maxsi %integer, %least : i64
  %half = arith.sitofp %larger : i64 to f32
  %limited = arith.minsi %larger, %most : i64
  %result = arith.sitofp %limited : i64 to f32
  return %half, %result : f32, f32
}
