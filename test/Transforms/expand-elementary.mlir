// RUN: skriptnd-opt %s --pass-pipeline="builtin.module(codegen-set-target{triple=x86_64-unknown-linux-gnu features=+avx2,+fma},func.func(codegen-expand-elementary))" | FileCheck %s
// RUN: skriptnd-opt %s --pass-pipeline="builtin.module(codegen-set-target{triple=x86_64-unknown-linux-gnu features=+avx512f,+avx512vl},func.func(codegen-expand-elementary))" | FileCheck %s --check-prefix=SCALES
// RUN: skriptnd-opt %s --pass-pipeline="builtin.module(codegen-set-target{triple=x86_64-unknown-linux-gnu features=+avx2,+fma exact=true},func.func(codegen-expand-elementary))" | FileCheck %s --check-prefix=EXACT

// Vectors, scalable ones too, and scalars take the same steps.
// CHECK-LABEL: func.func @scalable
// CHECK-NOT: math.exp
// CHECK: arith.bitcast %{{.*}} : vector<[4]xf32> to vector<[4]xi32>
// CHECK: return %{{.*}} : vector<[4]xf32>
func.func @scalable(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %y = math.exp %x : vector<[4]xf32>
  return %y : vector<[4]xf32>
}

// CHECK-LABEL: func.func @mixed
// CHECK: arith.bitcast %{{.*}} : vector<2x[4]xf32> to vector<2x[4]xi32>
func.func @mixed(%x: vector<2x[4]xf32>) -> vector<2x[4]xf32> {
  %y = math.exp %x : vector<2x[4]xf32>
  return %y : vector<2x[4]xf32>
}

// CHECK-LABEL: func.func @fixed
// CHECK: arith.bitcast %{{.*}} : vector<8xf32> to vector<8xi32>
// Where an instruction multiplies by powers of two, it does in place of three steps.
// SCALES-LABEL: func.func @fixed
// SCALES-NOT: arith.bitcast
// SCALES: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"
// SCALES-LABEL: func.func @scalar
// SCALES-NOT: llvm.call_intrinsic
// SCALES-LABEL: func.func @others
func.func @fixed(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @scalar
// CHECK: arith.bitcast %{{.*}} : f32 to i32
func.func @scalar(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// What is on tensors waits until it is on buffers; other widths are the library's.
// CHECK-LABEL: func.func @others
// CHECK: math.exp %arg0 : tensor<4xf32>
// CHECK: math.exp %arg1 : f64
func.func @others(%x: tensor<4xf32>, %y: f64) -> (tensor<4xf32>, f64) {
  %a = math.exp %x : tensor<4xf32>
  %b = math.exp %y : f64
  return %a, %b : tensor<4xf32>, f64
}

// The hyperbolic tangent and the error function take the exponential function's steps, too.
// CHECK-LABEL: func.func @functions
// CHECK-NOT: {{math\.(log|tanh|erf|exp) }}
// CHECK: math.copysign
// CHECK: math.copysign
// CHECK-NOT: {{math\.(log|tanh|erf|exp) }}
// CHECK: return
func.func @functions(%x: vector<8xf32>) -> vector<8xf32> {
  %a = math.log %x : vector<8xf32>
  %b = math.tanh %a : vector<8xf32>
  %c = math.erf %b : vector<8xf32>
  return %c : vector<8xf32>
}

// Of vectors of several registers, each of these.
// SCALES-LABEL: func.func @wide
// SCALES-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
func.func @wide(%x: vector<32xf32>) -> vector<32xf32> {
  %y = math.exp %x : vector<32xf32>
  return %y : vector<32xf32>
}

// The tangent of a softplus is one function, where nothing is to be rounded as the formula says: it takes no sign from anything.
// CHECK-LABEL: func.func @softplus
// CHECK-NOT: math.copysign
// CHECK: arith.divf
// EXACT-LABEL: func.func @softplus
// EXACT: math.copysign
func.func @softplus(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %power = math.exp %x : f32
  %sum = arith.addf %power, %one : f32
  %soft = math.log %sum : f32
  %tangent = math.tanh %soft : f32
  return %tangent : f32
}
