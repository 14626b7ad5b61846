// Nodes that rules name and can't match are told, one of each kind, with the reason.
// RUN: echo 'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", Op("B", Op("C", Op("D", "x")))), OK, Op("E", "x"))' > %t.htp
// RUN: skriptnd-opt %s --pass-pipeline='builtin.module(apply-htp-rules{file="%/t.htp"})' 2>&1 | FileCheck %s
func.func @f(%x: tensor<?xf32>, %y: tensor<4xbf16>, %z: tensor<4xi1>, %w: tensor<4xf32>) {
  // CHECK: unseen.mlir:[[#@LINE+1]]:{{.*}}warning: no rule can match this 'htp.q.A': its result is no tensor of static shape: tensor<?xf32>
  %0 = htp.q.A(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = htp.q.A(%x) : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: unseen.mlir:[[#@LINE+1]]:{{.*}}warning: no rule can match this 'htp.q.B': the elements of tensor<4xbf16> are of no DType
  %2 = htp.q.B(%y) : (tensor<4xbf16>) -> tensor<4xbf16>
  // CHECK: unseen.mlir:[[#@LINE+1]]:{{.*}}warning: no rule can match this 'htp.q.C': the elements of tensor<4xi1> are of no DType
  %3 = htp.q.C(%z) : (tensor<4xi1>) -> tensor<4xi1>
  // CHECK: unseen.mlir:[[#@LINE+1]]:{{.*}}warning: no rule can match this 'htp.q.D': it has 2 results, and a match is of ops of one
  %4:2 = htp.q.D(%w) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %5 = htp.q.Other(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return
}
// CHECK-NOT: warning
