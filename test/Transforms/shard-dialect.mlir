// What LLVM 22's shard dialect lacks for graphs of ours (docs/sharding.md): where one of these tests fails, it has learned that.
// RUN: split-file %s %t
// RUN: skriptnd-opt %t/gather.mlir --convert-shard-to-mpi 2>&1 | FileCheck %s --check-prefix=GATHER
// The pass says so, and ends as if it had done it.
// GATHER: failed to legalize operation 'shard.all_gather' that was explicitly marked illegal
// RUN: not skriptnd-opt %t/window.mlir "--pass-pipeline=builtin.module(func.func(sharding-propagation,shard-partition))" 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: supports indexing maps that are only projected permutation
// RUN: not skriptnd-opt %t/collapse.mlir "--pass-pipeline=builtin.module(func.func(sharding-propagation))" 2>&1 | FileCheck %s --check-prefix=COLLAPSE
// COLLAPSE: 'tensor.collapse_shape' op sharding interface is not implemented
// RUN: not skriptnd-opt %t/pad.mlir "--pass-pipeline=builtin.module(func.func(sharding-propagation))" 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: 'tensor.pad' op sharding interface is not implemented

// Of seven columns two processes get three each.
// RUN: skriptnd-opt %t/uneven.mlir "--pass-pipeline=builtin.module(func.func(shard-partition))" | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: func.func @uneven(%{{.*}}: tensor<4x3xf32>) -> tensor<4x3xf32>

//--- gather.mlir
shard.grid @grid(shape = 2)
func.func @gather(%x: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 1 : tensor<4x4xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

//--- window.mlir
shard.grid @grid(shape = 2)
func.func @window(%x: tensor<2x8x8xf32>, %w: tensor<4x3x3xf32>, %z: tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32> {
  %sharding = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %sharding annotate_for_users : tensor<2x8x8xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w, i, j) -> (n, h + i, w + j)>, affine_map<(n, c, h, w, i, j) -> (c, i, j)>,
                       affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%0, %w : tensor<2x8x8xf32>, tensor<4x3x3xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x4x6x6xf32>
  return %1 : tensor<2x4x6x6xf32>
}

//--- collapse.mlir
shard.grid @grid(shape = 2)
func.func @collapse(%x: tensor<4x2x3xf32>) -> tensor<4x6xf32> {
  %sharding = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %sharding annotate_for_users : tensor<4x2x3xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

//--- pad.mlir
shard.grid @grid(shape = 2)
func.func @pad(%x: tensor<2x8xf32>) -> tensor<2x10xf32> {
  %zero = arith.constant 0.0 : f32
  %sharding = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %sharding annotate_for_users : tensor<2x8xf32>
  %1 = tensor.pad %0 low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x8xf32> to tensor<2x10xf32>
  return %1 : tensor<2x10xf32>
}

//--- uneven.mlir
shard.grid @grid(shape = 2)
func.func @uneven(%x: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %sharding = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %0 = shard.shard %x to %sharding : tensor<4x7xf32>
  %same = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %1 = shard.shard %0 to %same annotate_for_users : tensor<4x7xf32>
  return %1 : tensor<4x7xf32>
}
