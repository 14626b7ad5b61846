// RUN: skriptnd-opt %s --codegen-lower-pads --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @grown
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[1] [4] [1] : tensor<4xf32> into tensor<7xf32>
func.func @grown(%x: tensor<4xf32>, %zero: f32) -> tensor<7xf32> {
  %y = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %y : tensor<7xf32>
}

// Less than nothing cuts off, at either end.
// CHECK-LABEL: func.func @cut
// CHECK: %[[KEPT:.*]] = tensor.extract_slice %arg0[1, 0] [3, 2] [1, 1] : tensor<4x5xf32> to tensor<3x2xf32>
// CHECK: tensor.insert_slice %[[KEPT]] into %{{.*}}[0, 1] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<5x3xf32>
func.func @cut(%x: tensor<4x5xf32>, %zero: f32) -> tensor<5x3xf32> {
  %y = tensor.pad %x low[-1, 1] high[2, -3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x5xf32> to tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// Nothing of the tensor may be left over.
// CHECK-LABEL: func.func @filled
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.fill
func.func @filled(%x: tensor<2xf32>, %zero: f32) -> tensor<3xf32> {
  %y = tensor.pad %x low[-3] high[4] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %y : tensor<3xf32>
}

// An extent that only the run knows beside it changes nothing.
// CHECK-LABEL: func.func @open
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[%arg2] [%{{.*}}] [1] : tensor<?xf32> into tensor<?xf32>
func.func @open(%x: tensor<?xf32>, %zero: f32, %n: index) -> tensor<?xf32> {
  %y = tensor.pad %x low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// Of what is large, only what is added is filled: the slab before it, and that behind it.
// CHECK-LABEL: func.func @border
// CHECK: %[[ALL:.*]] = tensor.empty(%{{.*}}) {skriptnd.own = 0 : i64} : tensor<?x66x64x4xf32>
// CHECK: %[[ABOVE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2x64x4xf32>)
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[ABOVE]] into %[[ALL]][0, 0, 0, 0] [%{{.*}}, 2, 64, 4]
// CHECK: %[[RIGHT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x64x1x4xf32>)
// CHECK: %[[SECOND:.*]] = tensor.insert_slice %[[RIGHT]] into %[[FIRST]][0, 2, 63, 0] [%{{.*}}, 64, 1, 4]
// CHECK: tensor.insert_slice %arg0 into %[[SECOND]][0, 2, 0, 0] [%{{.*}}, 64, 63, 4]
func.func @border(%x: tensor<?x64x63x4xf32>) -> tensor<?x66x64x4xf32> {
  %y = tensor.pad %x low[0, 2, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %zero = arith.constant 0.0 : f32
    tensor.yield %zero : f32
  } : tensor<?x64x63x4xf32> to tensor<?x66x64x4xf32>
  return %y : tensor<?x66x64x4xf32>
}

// The borders of two are written into tensors of their own, whatever is the same of them: one would be copied for the other.
// CHECK-LABEL: func.func @two
// CHECK-DAG: tensor.empty() {skriptnd.own = 1 : i64} : tensor<130x66xf32>
// CHECK-DAG: tensor.empty() {skriptnd.own = 2 : i64} : tensor<130x66xf32>
func.func @two(%x: tensor<128x64xf32>, %y: tensor<128x64xf32>) -> (tensor<130x66xf32>, tensor<130x66xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<128x64xf32> to tensor<130x66xf32>
  %b = tensor.pad %y low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<128x64xf32> to tensor<130x66xf32>
  return %a, %b : tensor<130x66xf32>, tensor<130x66xf32>
}

// So it is where only a run knows the extents, or how much is added.
// CHECK-LABEL: func.func @open_border
// CHECK-DAG: %[[BELOW:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[WHOLE:.*]] = tensor.empty(%{{.*}}, %{{.*}}) {skriptnd.own = 3 : i64} : tensor<?x?x32xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x?x32xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %[[WHOLE]][0, 0, 0] [1, %{{.*}}, 32]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x?x32xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, 0, 0] [%{{.*}}, %{{.*}}, 32]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2x32xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0, 0] [%{{.*}}, 2, 32]
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[1, 2, 0] [%{{.*}}, %{{.*}}, 32]
func.func @open_border(%x: tensor<?x?x32xf32>, %more: index) -> tensor<?x?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %y = tensor.pad %x low[1, 2, 0] high[%more, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<?x?x32xf32> to tensor<?x?x32xf32>
  return %y : tensor<?x?x32xf32>
}
