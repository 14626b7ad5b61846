// RUN: skriptnd-opt %s --codegen-fix-loop-buffers --canonicalize | FileCheck %s

// A loop that swaps its buffers gets two of its own; both are read before either is written.
// CHECK-LABEL: func.func @swap
// CHECK: %[[A:.*]] = memref.alloc() : memref<3xf32>
// CHECK: memref.copy %arg0, %[[A]]
// CHECK: %[[B:.*]] = memref.alloc() : memref<3xf32>
// CHECK: memref.copy %arg1, %[[B]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg2 step %{{.*}} {
// CHECK: memref.copy %[[B]], %[[T:.*]] : memref
// CHECK: memref.copy %[[A]], %[[U:.*]] : memref
// CHECK: memref.copy %[[T]], %[[A]]
// CHECK: memref.copy %[[U]], %[[B]]
// CHECK: return %[[A]], %[[B]]
func.func @swap(%x: memref<3xf32>, %y: memref<3xf32>, %n: index) -> (memref<3xf32>, memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (memref<3xf32>, memref<3xf32>) {
    scf.yield %q, %p : memref<3xf32>, memref<3xf32>
  }
  return %a, %b : memref<3xf32>, memref<3xf32>
}

// Loops that write in place, one inside the other, stay as they are.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_place(%x: memref<3x4xf32>, %v: f32) -> memref<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %x) -> (memref<3x4xf32>) {
    %b = scf.for %j = %c0 to %c4 step %c1 iter_args(%q = %p) -> (memref<3x4xf32>) {
      memref.store %v, %q[%i, %j] : memref<3x4xf32>
      scf.yield %q : memref<3x4xf32>
    }
    scf.yield %b : memref<3x4xf32>
  }
  return %a : memref<3x4xf32>
}

// What the first part of a loop makes for the second lives outside.
// CHECK-LABEL: func.func @while
// CHECK-DAG: %[[CARRIED:.*]] = memref.alloc() : memref<i64>
// CHECK-DAG: %[[FORWARDED:.*]] = memref.alloc() : memref<i64>
// CHECK: scf.while
// CHECK: memref.copy %{{.*}}, %[[FORWARDED]]
// CHECK: scf.condition
// CHECK: memref.copy %{{.*}}, %[[CARRIED]]
// CHECK: return %[[FORWARDED]]
func.func @while(%x: memref<i64>, %limit: i64) -> memref<i64> {
  %c1 = arith.constant 1 : i64
  %r = scf.while (%p = %x) : (memref<i64>) -> memref<i64> {
    %n = memref.alloc() : memref<i64>
    %v = memref.load %p[] : memref<i64>
    %w = arith.addi %v, %c1 : i64
    memref.store %w, %n[] : memref<i64>
    %go = arith.cmpi slt, %w, %limit : i64
    scf.condition(%go) %n : memref<i64>
  } do {
  ^bb0(%n: memref<i64>):
    %m = memref.alloc() : memref<i64>
    %v = memref.load %n[] : memref<i64>
    %w = arith.addi %v, %v : i64
    memref.store %w, %m[] : memref<i64>
    scf.yield %m : memref<i64>
  }
  return %r : memref<i64>
}

// So do loops until a condition holds, and branches around them.
// CHECK-LABEL: func.func @until
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @until(%x: memref<4xf32>, %n: index, %v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (memref<4xf32>) {
    %first = memref.load %p[%c0] : memref<4xf32>
    %lower = arith.cmpf olt, %first, %v : f32
    %b = scf.if %lower -> (memref<4xf32>) {
      %w:2 = scf.while (%q = %p, %j = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
        %go = arith.cmpi slt, %j, %i : index
        scf.condition(%go) %q, %j : memref<4xf32>, index
      } do {
      ^bb0(%q: memref<4xf32>, %j: index):
        memref.store %v, %q[%j] : memref<4xf32>
        %next = arith.addi %j, %c1 : index
        scf.yield %q, %next : memref<4xf32>, index
      }
      scf.yield %w#0 : memref<4xf32>
    } else {
      scf.yield %p : memref<4xf32>
    }
    scf.yield %b : memref<4xf32>
  }
  return %a : memref<4xf32>
}

// One that hands on the other buffer keeps none.
// CHECK-LABEL: func.func @crossed
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: return
func.func @crossed(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (memref<4xf32>, memref<4xf32>) {
    %w:3 = scf.while (%r = %p, %s = %q, %j = %c0) : (memref<4xf32>, memref<4xf32>, index) -> (memref<4xf32>, memref<4xf32>, index) {
      %go = arith.cmpi slt, %j, %i : index
      scf.condition(%go) %s, %r, %j : memref<4xf32>, memref<4xf32>, index
    } do {
    ^bb0(%r: memref<4xf32>, %s: memref<4xf32>, %j: index):
      %next = arith.addi %j, %c1 : index
      scf.yield %s, %r, %next : memref<4xf32>, memref<4xf32>, index
    }
    scf.yield %w#0, %w#1 : memref<4xf32>, memref<4xf32>
  }
  return %a#0 : memref<4xf32>
}
