// RUN: skriptnd-opt %s --pass-pipeline="builtin.module(func.func(codegen-batch-iterations,canonicalize,cse))" | FileCheck %s

#row = affine_map<(i, j, k) -> (i, k)>
#weight = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// One product before the loop for the items of a sequence, which are the sequence as it is; the product with what the loop carries stays.
// CHECK-LABEL: func.func @recurrent
// CHECK-SAME: (%[[ITEMS:.*]]: tensor<6x1x64xf32>
// CHECK-NOT: scf.for
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x128xf32>) outs(%{{.*}} : tensor<6x1x128xf32>)
// CHECK: %[[ALL:.*]] = linalg.generic {{.*}}"parallel", "parallel", "parallel", "reduction"{{.*}} ins(%[[ITEMS]], %{{.*}} : tensor<6x1x64xf32>, tensor<128x64xf32>) outs(%[[START]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[STATE:.*]] =
// CHECK-NEXT: %[[PART:.*]] = tensor.extract_slice %[[ALL]][%[[I]], 0, 0] [1, 1, 128] [1, 1, 1] : tensor<6x1x128xf32> to tensor<1x128xf32>
// CHECK-NEXT: %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[STATE]], %{{.*}}) outs(%[[PART]]
// CHECK-NOT: linalg.generic
func.func @recurrent(%items: tensor<6x1x64xf32>, %w: tensor<128x64xf32>, %r: tensor<128x128xf32>, %bias: tensor<1x128xf32>,
                     %state: tensor<1x128xf32>) -> tensor<1x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %last = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %state) -> (tensor<1x128xf32>) {
    %item = tensor.extract_slice %items[%i, 0, 0] [1, 1, 64] [1, 1, 1] : tensor<6x1x64xf32> to tensor<1x64xf32>
    %x = linalg.generic {indexing_maps = [#row, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%item, %w : tensor<1x64xf32>, tensor<128x64xf32>) outs(%bias : tensor<1x128xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<1x128xf32>
    %y = linalg.generic {indexing_maps = [#row, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%s, %r : tensor<1x128xf32>, tensor<128x128xf32>) outs(%x : tensor<1x128xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<1x128xf32>
    scf.yield %y : tensor<1x128xf32>
  }
  return %last : tensor<1x128xf32>
}

// What a product is added to may be the iteration's, too.
// CHECK-LABEL: func.func @added
// CHECK: scf.for {{.*}} -> (tensor<6x1x128xf32>)
// CHECK: linalg.generic
// CHECK: scf.for
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @added(%items: tensor<6x1x64xf32>, %w: tensor<128x64xf32>, %biases: tensor<6x128xf32>) -> tensor<6x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %empty = tensor.empty() : tensor<6x128xf32>
  %all = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %empty) -> (tensor<6x128xf32>) {
    %item = tensor.extract_slice %items[%i, 0, 0] [1, 1, 64] [1, 1, 1] : tensor<6x1x64xf32> to tensor<1x64xf32>
    %bias = tensor.extract_slice %biases[%i, 0] [1, 128] [1, 1] : tensor<6x128xf32> to tensor<1x128xf32>
    %x = linalg.generic {indexing_maps = [#row, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%item, %w : tensor<1x64xf32>, tensor<128x64xf32>) outs(%bias : tensor<1x128xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<1x128xf32>
    %t = tensor.insert_slice %x into %s[%i, 0] [1, 128] [1, 1] : tensor<1x128xf32> into tensor<6x128xf32>
    scf.yield %t : tensor<6x128xf32>
  }
  return %all : tensor<6x128xf32>
}

// So they are where they are read by an index that is limited to what it is anyhow. An index that is another one tells items that are
// collected first.
// CHECK-LABEL: func.func @gathered
// CHECK-SAME: (%[[ITEMS:.*]]: tensor<6x1x64xf32>
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[ITEMS]], %{{.*}} : tensor<6x1x64xf32>, tensor<128x64xf32>)
// CHECK: scf.for
// CHECK-NOT: "reduction"
// CHECK-LABEL: func.func @next
// CHECK: %[[LATER:.*]] = scf.for {{.*}} -> (tensor<6x1x64xf32>)
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[LATER]], %{{.*}} : tensor<6x1x64xf32>, tensor<128x64xf32>)
func.func @gathered(%items: tensor<6x1x64xf32>, %w: tensor<128x64xf32>, %bias: tensor<1x128xf32>) -> tensor<6x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %none = arith.constant 0 : i64
  %count = arith.constant 6 : i64
  %end = arith.constant 5 : i64
  %empty = tensor.empty() : tensor<6x128xf32>
  %room = tensor.empty() : tensor<1x64xf32>
  %all = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %empty) -> (tensor<6x128xf32>) {
    %number = arith.index_cast %i : index to i64
    %one = tensor.from_elements %number : tensor<i64>
    %item = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%one : tensor<i64>) outs(%room : tensor<1x64xf32>) {
    ^bb0(%n: i64, %o: f32):
      %is_below = arith.cmpi slt, %n, %none : i64
      %behind = arith.addi %n, %count : i64
      %counted = arith.select %is_below, %behind, %n : i64
      %least = arith.minsi %counted, %end : i64
      %most = arith.maxsi %least, %none : i64
      %first = arith.index_cast %most : i64 to index
      %last = linalg.index 1 : index
      %e = tensor.extract %items[%first, %c0, %last] : tensor<6x1x64xf32>
      linalg.yield %e : f32
    } -> tensor<1x64xf32>
    %x = linalg.generic {indexing_maps = [#row, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%item, %w : tensor<1x64xf32>, tensor<128x64xf32>) outs(%bias : tensor<1x128xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<1x128xf32>
    %t = tensor.insert_slice %x into %s[%i, 0] [1, 128] [1, 1] : tensor<1x128xf32> into tensor<6x128xf32>
    scf.yield %t : tensor<6x128xf32>
  }
  return %all : tensor<6x128xf32>
}

func.func @next(%items: tensor<6x1x64xf32>, %w: tensor<128x64xf32>, %bias: tensor<1x128xf32>) -> tensor<6x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %end = arith.constant 5 : i64
  %empty = tensor.empty() : tensor<6x128xf32>
  %room = tensor.empty() : tensor<1x64xf32>
  %all = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %empty) -> (tensor<6x128xf32>) {
    %number = arith.index_cast %i : index to i64
    %one = tensor.from_elements %number : tensor<i64>
    %item = linalg.generic {indexing_maps = [affine_map<(a, b) -> ()>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%one : tensor<i64>) outs(%room : tensor<1x64xf32>) {
    ^bb0(%n: i64, %o: f32):
      %least = arith.maxsi %n, %end : i64
      %first = arith.index_cast %least : i64 to index
      %last = linalg.index 1 : index
      %e = tensor.extract %items[%first, %c0, %last] : tensor<6x1x64xf32>
      linalg.yield %e : f32
    } -> tensor<1x64xf32>
    %x = linalg.generic {indexing_maps = [#row, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%item, %w : tensor<1x64xf32>, tensor<128x64xf32>) outs(%bias : tensor<1x128xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<1x128xf32>
    %t = tensor.insert_slice %x into %s[%i, 0] [1, 128] [1, 1] : tensor<1x128xf32> into tensor<6x128xf32>
    scf.yield %t : tensor<6x128xf32>
  }
  return %all : tensor<6x128xf32>
}

// A small weight is read again, and so is one that a loop of few iterations reads.
// CHECK-LABEL: func.func @small
// CHECK-COUNT-1: scf.for
// CHECK: linalg.generic
func.func @small(%items: tensor<6x1x8xf32>, %w: tensor<16x8xf32>, %state: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %last = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %state) -> (tensor<1x16xf32>) {
    %item = tensor.extract_slice %items[%i, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<6x1x8xf32> to tensor<1x8xf32>
    %x = linalg.generic {indexing_maps = [#row, #weight, #out], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%item, %w : tensor<1x8xf32>, tensor<16x8xf32>) outs(%state : tensor<1x16xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %o, %p : f32
      linalg.yield %q : f32
    } -> tensor<1x16xf32>
    scf.yield %x : tensor<1x16xf32>
  }
  return %last : tensor<1x16xf32>
}
