// RUN: skriptnd-opt %s --verify-roundtrip | FileCheck %s
// RUN: skriptnd-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: skriptnd-opt %s --cse | FileCheck %s --check-prefix=CSE

// CHECK: %[[C:.+]] = htp.$Const() {elements = array<i64: 1, -2>} : () -> tensor<2xi32>
// CHECK: %[[S:.+]] = htp.$Shape() : () -> tensor<1x2x0x4xi32>
// CHECK: htp.any.package.Op.x(%arg0, %[[C]], %[[S]]) {note = "kept"} : (tensor<4x!quant.uniform<u8:f32, 5.000000e-01:128>>, tensor<2xi32>, tensor<1x2x0x4xi32>) -> tensor<4xf16>
// GENERIC: "htp.$Shape"() : () -> tensor<1x2x0x4xi32>
// CSE-COUNT-1: htp.$Shape
// CSE-NOT: htp.$Shape
func.func @f(%x: tensor<4x!quant.uniform<u8:f32, 0.5:128>>) -> (tensor<4xf16>, tensor<1x2x0x4xi32>) {
  %0 = htp.$Const() {elements = array<i64: 1, -2>} : () -> tensor<2xi32>
  %1 = htp.$Shape() : () -> tensor<1x2x0x4xi32>
  %2 = htp.$Shape() : () -> tensor<1x2x0x4xi32>
  %3 = htp.any.package.Op.x(%x, %0, %1) {note = "kept"} : (tensor<4x!quant.uniform<u8:f32, 0.5:128>>, tensor<2xi32>, tensor<1x2x0x4xi32>) -> tensor<4xf16>
  return %3, %2 : tensor<4xf16>, tensor<1x2x0x4xi32>
}

// Declared ops round trip as well.
// CHECK-LABEL: func.func @declared
// CHECK: htp.q.Transpose(%{{.*}}, %{{.*}}) : (tensor<1x2xf32>, tensor<2xi32>) -> tensor<2x1xf32>
func.func @declared(%x: tensor<1x2xf32>) -> tensor<2x1xf32> {
  %0 = htp.$Const() {elements = array<i64: 1, 0>} : () -> tensor<2xi32>
  %1 = htp.q.Transpose(%x, %0) : (tensor<1x2xf32>, tensor<2xi32>) -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}

// Steps and zeros of each channel, elements of 4 bits, symmetric ranges; what a package registers.
// CHECK-LABEL: func.func @encodings
// CHECK: htp.q.Requantize(%{{.*}}) : (tensor<2x2x!quant.uniform<i4<-7:7>:f32:1, {5.000000e-01,2.500000e-01:3}>>) -> tensor<2x2x!quant.uniform<u4:f32, 5.000000e-01:8>>
// CHECK: htp.q.Relu(%{{.*}}) {htp.variants = [#htp.variant<"f", "FREE", [<any in any>, <crouton in main>]>, #htp.variant<"", "GLACIAL" uses["IS_CONST", "RESOURCE_HVX"], [<flat in tcm>, <flat in any>]>]}
// CHECK: htp.q.flat_to_vtcm(%{{.*}}) : (tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @encodings(%x: tensor<2x2x!quant.uniform<i4<-7:7>:f32:1, {0.5,0.25:3}>>, %y: tensor<2x2xf16>) {
  %0 = htp.q.Requantize(%x) : (tensor<2x2x!quant.uniform<i4<-7:7>:f32:1, {0.5,0.25:3}>>) -> tensor<2x2x!quant.uniform<u4:f32, 0.5:8>>
  %1 = htp.q.Relu(%y) {htp.variants = [#htp.variant<"f", "FREE", [<any in any>, <crouton in main>]>, #htp.variant<"", "GLACIAL" uses["IS_CONST", "RESOURCE_HVX"], [<flat in tcm>, <flat in any>]>]} : (tensor<2x2xf16>) -> tensor<2x2xf16>
  %2 = htp.q.flat_to_vtcm(%1) : (tensor<2x2xf16>) -> tensor<2x2xf16>
  return
}
