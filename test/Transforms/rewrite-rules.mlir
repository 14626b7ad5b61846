// Each rule of td/skriptnd/Rewrites.td: where it applies, and where it just does not.
// RUN: skriptnd-opt %s --skriptnd-rewrite --split-input-file | FileCheck %s

// CHECK-LABEL: @Cancel
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xf32>, %[[C:[^:]*]]: tensor<4xi1>)
// CHECK-NEXT: skriptnd.return %[[X]], %[[C]]
skriptnd.graph @Cancel(%x: tensor<4xf32>, %c: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi1>) {
  %0 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.neg(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = skriptnd.math.not(%c) : (tensor<4xi1>) -> tensor<4xi1>
  %3 = skriptnd.math.not(%2) : (tensor<4xi1>) -> tensor<4xi1>
  skriptnd.return %1, %3 : tensor<4xf32>, tensor<4xi1>
}

// -----

// CHECK-LABEL: @Done
// CHECK: %[[F:.*]] = skriptnd.math.floor
// CHECK-NEXT: %[[S:.*]] = skriptnd.math.sign
// CHECK-NEXT: %[[E:.*]] = skriptnd.math.exp
// CHECK-NEXT: %[[Q:.*]] = skriptnd.math.sqr
// CHECK-NEXT: %[[L:.*]] = skriptnd.nn.sigmoid
// CHECK-NEXT: skriptnd.return %[[F]], %[[S]], %[[E]], %[[Q]], %[[L]]
skriptnd.graph @Done(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.math.floor(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.round(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = skriptnd.math.ceil(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = skriptnd.math.sign(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = skriptnd.math.sign(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = skriptnd.math.exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = skriptnd.math.abs(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = skriptnd.math.sqr(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = skriptnd.math.abs(%7) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = skriptnd.nn.sigmoid(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = skriptnd.math.abs(%9) : (tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %2, %4, %6, %8, %10 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A sine keeps the sign, as the magnitude of a zero does; a logarithm may be negative.
// CHECK-LABEL: @Signs
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xf32>)
// CHECK-NEXT: %[[Z:.*]] = skriptnd.math.neg(%[[X]])
// CHECK-NEXT: %[[C:.*]] = skriptnd.math.cos(%[[X]])
// CHECK-NEXT: %[[A:.*]] = skriptnd.math.abs(%[[Z]])
// CHECK-NEXT: %[[Q:.*]] = skriptnd.math.sqr(%[[X]])
// CHECK-NEXT: %[[N:.*]] = skriptnd.math.neg(%[[X]])
// CHECK-NEXT: %[[S:.*]] = skriptnd.math.sin(%[[N]])
// CHECK-NEXT: %[[L:.*]] = skriptnd.math.log(%[[X]])
// CHECK-NEXT: %[[M:.*]] = skriptnd.math.abs(%[[L]])
// CHECK-NEXT: skriptnd.return %[[C]], %[[A]], %[[Q]], %[[S]], %[[M]]
skriptnd.graph @Signs(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.cos(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = skriptnd.math.abs(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = skriptnd.math.abs(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = skriptnd.math.sqr(%3) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = skriptnd.math.sin(%5) : (tensor<4xf32>) -> tensor<4xf32>
  %7 = skriptnd.math.log(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %8 = skriptnd.math.abs(%7) : (tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %1, %2, %4, %6, %8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// An integer has one zero, but its square may be negative, and its least one has no negative.
// CHECK-LABEL: @Integers
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xi64>, %[[Y:[^:]*]]: tensor<4xi64>)
// CHECK-NEXT: %[[A:.*]] = skriptnd.math.abs(%[[X]])
// CHECK-NEXT: %[[S:.*]] = skriptnd.math.sqr(%[[X]])
// CHECK-NEXT: %[[M:.*]] = skriptnd.math.abs(%[[S]])
// CHECK-NEXT: %[[N:.*]] = skriptnd.math.neg(%[[X]])
// CHECK-NEXT: %[[O:.*]] = skriptnd.math.neg(%[[Y]])
// CHECK-NEXT: %[[D:.*]] = skriptnd.math.div(%[[N]], %[[O]])
// CHECK-NEXT: %[[P:.*]] = skriptnd.math.mul(%[[X]], %[[Y]])
// CHECK-NEXT: skriptnd.return %[[A]], %[[M]], %[[D]], %[[P]]
skriptnd.graph @Integers(%x: tensor<4xi64>, %y: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) {
  %0 = skriptnd.math.neg(%x) : (tensor<4xi64>) -> tensor<4xi64>
  %1 = skriptnd.math.abs(%0) : (tensor<4xi64>) -> tensor<4xi64>
  %2 = skriptnd.math.sqr(%x) : (tensor<4xi64>) -> tensor<4xi64>
  %3 = skriptnd.math.abs(%2) : (tensor<4xi64>) -> tensor<4xi64>
  %4 = skriptnd.math.neg(%x) : (tensor<4xi64>) -> tensor<4xi64>
  %5 = skriptnd.math.neg(%y) : (tensor<4xi64>) -> tensor<4xi64>
  %6 = skriptnd.math.div(%4, %5) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %7 = skriptnd.math.neg(%x) : (tensor<4xi64>) -> tensor<4xi64>
  %8 = skriptnd.math.neg(%y) : (tensor<4xi64>) -> tensor<4xi64>
  %9 = skriptnd.math.mul(%7, %8) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  skriptnd.return %1, %3, %6, %9 : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>
}

// -----

// Operands that are aligned do not change places; different ones have no square.
// CHECK-LABEL: @Products
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xf32>, %[[Y:[^:]*]]: tensor<4xf32>, %[[Z:[^:]*]]: tensor<4x2xf32>)
// CHECK-NEXT: %[[P:.*]] = skriptnd.math.mul(%[[X]], %[[Y]])
// CHECK-NEXT: %[[D:.*]] = skriptnd.math.div(%[[X]], %[[Y]])
// CHECK-NEXT: %[[S:.*]] = skriptnd.math.sub(%[[Y]], %[[X]])
// CHECK-NEXT: %[[N:.*]] = skriptnd.math.neg(%[[X]])
// CHECK-NEXT: %[[A:.*]] = skriptnd.math.add(%[[N]], %[[Z]]) {lhs_align = 0 : i64}
// CHECK-NEXT: %[[Q:.*]] = skriptnd.math.sqr(%[[X]])
// CHECK-NEXT: %[[R:.*]] = skriptnd.math.rsqrt(%[[X]])
// CHECK-NEXT: %[[T:.*]] = skriptnd.math.rsqr(%[[X]])
// CHECK-NEXT: skriptnd.return %[[P]], %[[D]], %[[S]], %[[A]], %[[Q]], %[[R]], %[[T]]
skriptnd.graph @Products(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4x2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.neg(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = skriptnd.math.mul(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = skriptnd.math.div(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = skriptnd.math.add(%0, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = skriptnd.math.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = skriptnd.math.add(%5, %z) {lhs_align = 0 : i64} : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %7 = skriptnd.math.mul(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = skriptnd.math.sqrt(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %9 = skriptnd.math.rcp(%8) : (tensor<4xf32>) -> tensor<4xf32>
  %10 = skriptnd.math.sqr(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %11 = skriptnd.math.rcp(%10) : (tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %2, %3, %4, %6, %7, %9, %11 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// An order is not total where operands may be no numbers, so it is not turned.
// CHECK-LABEL: @Logic
// CHECK-SAME: (%[[C:[^:]*]]: tensor<4xi1>, %[[D:[^:]*]]: tensor<4xi1>, %[[X:[^:]*]]: tensor<4xf32>, %[[Y:[^:]*]]: tensor<4xf32>)
// CHECK-NEXT: %[[A:.*]] = skriptnd.math.and(%[[C]], %[[D]])
// CHECK-NEXT: %[[N:.*]] = skriptnd.math.ne(%[[X]], %[[Y]])
// CHECK-NEXT: %[[L:.*]] = skriptnd.math.lt(%[[X]], %[[Y]])
// CHECK-NEXT: %[[M:.*]] = skriptnd.math.not(%[[L]])
// CHECK-NEXT: %[[S:.*]] = skriptnd.math.select(%[[C]], %[[Y]], %[[X]])
// CHECK-NEXT: skriptnd.return %[[C]], %[[A]], %[[C]], %[[N]], %[[M]], %[[X]], %[[S]], %[[X]]
skriptnd.graph @Logic(%c: tensor<4xi1>, %d: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.math.or(%c, %c) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %1 = skriptnd.math.and(%c, %d) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %2 = skriptnd.math.and(%d, %1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = skriptnd.math.and(%d, %c) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = skriptnd.math.or(%c, %3) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %5 = skriptnd.math.eq(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %6 = skriptnd.math.not(%5) : (tensor<4xi1>) -> tensor<4xi1>
  %7 = skriptnd.math.lt(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %8 = skriptnd.math.not(%7) : (tensor<4xi1>) -> tensor<4xi1>
  %9 = skriptnd.math.select(%d, %x, %x) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %10 = skriptnd.math.not(%c) : (tensor<4xi1>) -> tensor<4xi1>
  %11 = skriptnd.math.select(%10, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %12 = skriptnd.math.max(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  skriptnd.return %0, %2, %4, %6, %8, %9, %11, %12 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Clamping again by the same bounds does nothing, by others it does.
// CHECK-LABEL: @Clamp
// CHECK: %[[A:.*]] = skriptnd.math.clamp
// CHECK-NEXT: %[[B:.*]] = skriptnd.math.clamp(%[[A]]
// CHECK-NEXT: skriptnd.return %[[A]], %[[B]]
skriptnd.graph @Clamp(%x: tensor<4xf32>, %a: tensor<f32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = skriptnd.math.clamp(%x, %a, %b) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %1 = skriptnd.math.clamp(%0, %a, %b) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = skriptnd.math.clamp(%1, %b, %b) : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  skriptnd.return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What is subtracted from zero stays; so does what a constant makes larger, and what loses the sign of a zero.
// CHECK-LABEL: @Neutral
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xf32>, %[[S:[^:]*]]: tensor<f32>, %[[C:[^:]*]]: tensor<4xi1>)
// CHECK: %[[P:.*]] = skriptnd.math.add(%{{.*}}, %[[X]])
// CHECK-NEXT: %[[R:.*]] = skriptnd.math.sub(%{{.*}}, %[[X]])
// CHECK-NEXT: %[[L:.*]] = skriptnd.math.mul(%[[S]], %{{.*}})
// CHECK-NEXT: skriptnd.return %[[X]], %[[P]], %[[R]], %[[X]], %[[L]], %[[C]], %[[C]]
skriptnd.graph @Neutral(%x: tensor<4xf32>, %s: tensor<f32>, %c: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>) {
  %zero = skriptnd.constant dense<0.0> : tensor<f32>
  %negative = skriptnd.constant dense<-0.0> : tensor<f32>
  %one = skriptnd.constant dense<1.0> : tensor<f32>
  %ones = skriptnd.constant dense<1.0> : tensor<4xf32>
  %true = skriptnd.constant dense<true> : tensor<i1>
  %false = skriptnd.constant dense<false> : tensor<i1>
  %0 = skriptnd.math.add(%negative, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = skriptnd.math.sub(%0, %zero) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %positive = skriptnd.math.add(%zero, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = skriptnd.math.sub(%zero, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = skriptnd.math.mul(%x, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = skriptnd.math.div(%3, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = skriptnd.math.pow(%4, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = skriptnd.math.mul(%s, %ones) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = skriptnd.math.and(%c, %true) : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  %8 = skriptnd.math.or(%false, %7) : (tensor<i1>, tensor<4xi1>) -> tensor<4xi1>
  %9 = skriptnd.math.xor(%8, %false) : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  skriptnd.return %1, %positive, %2, %5, %6, %8, %9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>
}

// -----

// A slice that begins elsewhere, or has other extents, is none of the operands.
// CHECK-LABEL: @Parts
// CHECK-SAME: (%[[A:[^:]*]]: tensor<2x3xf32>, %[[B:[^:]*]]: tensor<2x3xf32>)
// CHECK-NEXT: %[[C:.*]] = skriptnd.layout.concat([%[[A]], %[[B]]])
// CHECK-NEXT: %[[S:.*]] = skriptnd.layout.slice(%[[C]])
// CHECK-NEXT: %[[T:.*]] = skriptnd.layout.concat([%[[A]], %[[B]], %[[A]]]) {axis = 0 : i64}
// CHECK-NEXT: skriptnd.return %[[A]], %[[B]], %[[S]], %[[T]], %[[A]]
skriptnd.graph @Parts(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<6x3xf32>, tensor<2x3xf32>) {
  %0 = skriptnd.layout.concat([%a, %b]) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = skriptnd.layout.slice(%0) {axes = array<i64: 0>, begin = array<i64: 0>, end = array<i64: 2>} : (tensor<4x3xf32>) -> tensor<2x3xf32>
  %2 = skriptnd.layout.slice(%0) {axes = array<i64: 0>, begin = array<i64: 2>, end = array<i64: 4>} : (tensor<4x3xf32>) -> tensor<2x3xf32>
  %3 = skriptnd.layout.slice(%0) {axes = array<i64: 0>, begin = array<i64: 1>, end = array<i64: 3>} : (tensor<4x3xf32>) -> tensor<2x3xf32>
  %4 = skriptnd.layout.concat([%a, %b]) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %5 = skriptnd.layout.concat([%4, %a]) {axis = 0 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %6 = skriptnd.layout.slice(%a) {axes = array<i64: 0>, begin = array<i64: 0>, end = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = skriptnd.layout.pad(%6, none) {padding = array<i64: 0, 0, 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  skriptnd.return %1, %2, %3, %5, %7 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<6x3xf32>, tensor<2x3xf32>
}

// -----

// Blocks of another size, or groups that do not undo the others, stay.
// CHECK-LABEL: @Blocks
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4x8x4x4xf32>)
// CHECK-NEXT: %[[D:.*]] = skriptnd.layout.space_to_depth(%[[X]])
// CHECK-NEXT: %[[E:.*]] = skriptnd.layout.depth_to_space(%[[D]])
// CHECK-NEXT: %[[S:.*]] = skriptnd.layout.shuffle(%[[X]])
// CHECK-NEXT: %[[T:.*]] = skriptnd.layout.shuffle(%[[S]])
// CHECK-NEXT: skriptnd.return %[[X]], %[[E]], %[[X]], %[[X]], %[[T]]
skriptnd.graph @Blocks(%x: tensor<4x8x4x4xf32>) -> (tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>) {
  %0 = skriptnd.layout.space_to_depth(%x) {block_size = array<i64: 2, 2>} : (tensor<4x8x4x4xf32>) -> tensor<4x32x2x2xf32>
  %1 = skriptnd.layout.depth_to_space(%0) {block_size = array<i64: 2, 2>, blocks_first = true} : (tensor<4x32x2x2xf32>) -> tensor<4x8x4x4xf32>
  %2 = skriptnd.layout.depth_to_space(%0) {block_size = array<i64: 2, 2>, blocks_first = false} : (tensor<4x32x2x2xf32>) -> tensor<4x8x4x4xf32>
  %3 = skriptnd.layout.batch_to_space(%x) {block_size = array<i64: 2, 2>} : (tensor<4x8x4x4xf32>) -> tensor<1x8x8x8xf32>
  %4 = skriptnd.layout.space_to_batch(%3) {block_size = array<i64: 2, 2>} : (tensor<1x8x8x8xf32>) -> tensor<4x8x4x4xf32>
  %5 = skriptnd.layout.shuffle(%x) {axis = 1 : i64, groups = 2 : i64} : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x4xf32>
  %6 = skriptnd.layout.shuffle(%5) {axis = 1 : i64, groups = 4 : i64} : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x4xf32>
  %7 = skriptnd.layout.shuffle(%5) {axis = 1 : i64, groups = 2 : i64} : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x4xf32>
  skriptnd.return %1, %2, %4, %6, %7 : tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>
}
