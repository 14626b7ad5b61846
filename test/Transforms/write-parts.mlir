// RUN: skriptnd-opt %s --codegen-write-parts | FileCheck %s
// RUN: skriptnd-opt %s --codegen-write-parts --eliminate-empty-tensors | FileCheck %s --check-prefix=PLACE

// A long chain of insertions becomes writes into memory, where parts are computed at once.
// CHECK-LABEL: func.func @many
// CHECK: %[[MEMORY:.*]] = memref.alloc() : memref<17x3xf32>
// CHECK: memref.reinterpret_cast %[[MEMORY]] to offset: [0], sizes: [3], strides: [1]
// CHECK: memref.reinterpret_cast %[[MEMORY]] to offset: [48], sizes: [3], strides: [1]
// CHECK-NOT: tensor.insert_slice
// CHECK-COUNT-17: bufferization.materialize_in_destination %{{.*}} in restrict writable
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[WHOLE:.*]] = bufferization.to_tensor %[[MEMORY]] restrict writable
// CHECK: return %[[WHOLE]]
// PLACE-LABEL: func.func @many
// PLACE: %[[PLACE:.*]] = bufferization.to_tensor
// PLACE: linalg.generic {{.*}} outs(%[[PLACE]]
func.func @many(%x: tensor<3xf32>) -> tensor<17x3xf32> {
  %made = tensor.empty() : tensor<3xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%made : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %t0 = tensor.empty() : tensor<17x3xf32>
  %t1 = tensor.insert_slice %x into %t0[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t2 = tensor.insert_slice %x into %t1[1, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t3 = tensor.insert_slice %x into %t2[2, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t4 = tensor.insert_slice %x into %t3[3, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t5 = tensor.insert_slice %x into %t4[4, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t6 = tensor.insert_slice %x into %t5[5, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t7 = tensor.insert_slice %x into %t6[6, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t8 = tensor.insert_slice %x into %t7[7, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t9 = tensor.insert_slice %x into %t8[8, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t10 = tensor.insert_slice %x into %t9[9, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t11 = tensor.insert_slice %x into %t10[10, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t12 = tensor.insert_slice %x into %t11[11, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t13 = tensor.insert_slice %x into %t12[12, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t14 = tensor.insert_slice %x into %t13[13, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t15 = tensor.insert_slice %x into %t14[14, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t16 = tensor.insert_slice %x into %t15[15, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t17 = tensor.insert_slice %p into %t16[16, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  return %t17 : tensor<17x3xf32>
}

// Few are left to upstream's analysis, and so is a tensor that has other elements before.
// CHECK-LABEL: func.func @few
// CHECK-COUNT-2: tensor.insert_slice
func.func @few(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %t0 = tensor.empty() : tensor<2x3xf32>
  %t1 = tensor.insert_slice %x into %t0[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<2x3xf32>
  %t2 = tensor.insert_slice %x into %t1[1, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<2x3xf32>
  return %t2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @changed
// CHECK-COUNT-17: tensor.insert_slice
func.func @changed(%x: tensor<3xf32>, %t0: tensor<17x3xf32>) -> tensor<17x3xf32> {
  %t1 = tensor.insert_slice %x into %t0[0, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t2 = tensor.insert_slice %x into %t1[1, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t3 = tensor.insert_slice %x into %t2[2, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t4 = tensor.insert_slice %x into %t3[3, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t5 = tensor.insert_slice %x into %t4[4, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t6 = tensor.insert_slice %x into %t5[5, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t7 = tensor.insert_slice %x into %t6[6, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t8 = tensor.insert_slice %x into %t7[7, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t9 = tensor.insert_slice %x into %t8[8, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t10 = tensor.insert_slice %x into %t9[9, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t11 = tensor.insert_slice %x into %t10[10, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t12 = tensor.insert_slice %x into %t11[11, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t13 = tensor.insert_slice %x into %t12[12, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t14 = tensor.insert_slice %x into %t13[13, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t15 = tensor.insert_slice %x into %t14[14, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t16 = tensor.insert_slice %x into %t15[15, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  %t17 = tensor.insert_slice %x into %t16[16, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<17x3xf32>
  return %t17 : tensor<17x3xf32>
}
