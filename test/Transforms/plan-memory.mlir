// RUN: skriptnd-opt %s --codegen-plan-memory | FileCheck %s

// Three buffers of 256 bytes of which two are never alive together: 512 bytes.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[WORKSPACE:[a-z0-9]+]]: memref<512xi8>
// CHECK-DAG: %[[FIRST:.*]] = memref.view %[[WORKSPACE]][%[[A:.*]]][]
// CHECK-NOT: memref.alloc
func.func @chain(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %b, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  return
}

// A view keeps its buffer alive.
// CHECK-LABEL: func.func @view
// CHECK-SAME: memref<512xi8>
func.func @view(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  %name = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  %again = memref.collapse_shape %name [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  memref.copy %again, %out : memref<64xf32> to memref<64xf32>
  return
}

// Kernels are called, and keep their arguments.
// CHECK-LABEL: func.func @entry
// CHECK-SAME: memref<256xi8>
// CHECK: call @kernel(%{{.*}}) : (memref<64xf32>) -> ()
// CHECK: func.func private @kernel(%{{.*}}: memref<64xf32>) {
func.func @entry(%out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  call @kernel(%a) : (memref<64xf32>) -> ()
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}
func.func private @kernel(%out: memref<64xf32>) {
  return
}
