// RUN: skriptnd-opt %s --codegen-record-faults --codegen-plan-memory | FileCheck %s

// A buffer whose size data determine is as large as it can be: at most 8 elements, and at most as many as the extent says.
// What the run reads from memory is not read before: it may have written it.
// CHECK-LABEL: func.func @skriptnd.workspace
// CHECK-SAME: (%[[N:.*]]: i64) -> i64
// CHECK: %[[MOST:.*]] = arith.constant 8 : i64
// CHECK: %[[LEAST:.*]] = arith.minsi %[[MOST]], %[[N]] : i64
// CHECK-NOT: memref.load
// CHECK: return

// CHECK-LABEL: func.func @run
// CHECK: arith.minsi
// CHECK: %[[COUNT:.*]] = memref.load
// CHECK: %[[K:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: memref.view %{{.*}}[%{{.*}}][%[[K]]]

// Behind what it requires of data, the run ends where it did not hold.
// CHECK: else
// CHECK: %[[HOLDS:.*]] = arith.cmpi eq
// CHECK: call @skriptnd.leave(%[[HOLDS]])
// CHECK: func.func private @skriptnd.leave(
module attributes {skriptnd.extent_arguments = array<i64: 1>} {
  func.func @run(%count: memref<1xi64>, %n: i64, %out: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i64
    %most = arith.constant 8 : i64
    %found = memref.load %count[%c0] : memref<1xi64>
    %a = arith.minsi %found, %most : i64
    %b = arith.minsi %a, %n : i64
    %c = arith.maxsi %b, %zero : i64
    %k = arith.index_cast %c : i64 to index
    %buffer = memref.alloc(%k) : memref<?xf32>
    %one = arith.constant 1.0 : f32
    memref.store %one, %buffer[%c0] : memref<?xf32>
    %holds = arith.cmpi sle, %found, %most : i64
    skriptnd.require %holds, "too many: {0}" (%found) {code = "shape-mismatch"} : (i1, i64) -> ()
    skriptnd.leave
    %x = memref.load %buffer[%c0] : memref<?xf32>
    memref.store %x, %out[%c0] : memref<8xf32>
    return
  }
}
