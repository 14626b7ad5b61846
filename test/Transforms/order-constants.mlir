// RUN: skriptnd-opt %s --codegen-order-constants | FileCheck %s

// Constants stand in the order in which functions use them, and are named by it.
// CHECK: memref.global "private" constant @constant_0 : memref<2xf32> = dense<2.0{{.*}}>
// CHECK: memref.global "private" constant @constant_1 : memref<2xf32> = dense<1.0{{.*}}>
// CHECK-NOT: memref.global
// CHECK-LABEL: func.func @run
// CHECK: memref.get_global @constant_0
// CHECK: memref.get_global @constant_1
// CHECK: memref.get_global @constant_0
memref.global "private" constant @a : memref<2xf32> = dense<1.0>
memref.global "private" constant @unused : memref<2xf32> = dense<3.0>
memref.global "private" constant @b : memref<2xf32> = dense<2.0>
func.func @run() -> (memref<2xf32>, memref<2xf32>, memref<2xf32>) {
  %0 = memref.get_global @b : memref<2xf32>
  %1 = memref.get_global @a : memref<2xf32>
  %2 = memref.get_global @b : memref<2xf32>
  return %0, %1, %2 : memref<2xf32>, memref<2xf32>, memref<2xf32>
}
