// RUN: rm -rf %t && split-file %s %t
// RUN: skriptnd-opt %t/graph.mlir --pass-pipeline='builtin.module(apply-htp-rules{file="%/t/package.htp"},place-htp-tensors)' | skriptnd-opt | FileCheck %s
// RUN: skriptnd-opt %t/graph.mlir --pass-pipeline='builtin.module(apply-htp-rules{file="%/t/package.htp"},place-htp-tensors{report=true})' -o %t/out 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: skriptnd-opt %t/graph.mlir --place-htp-tensors | FileCheck %s --check-prefix=SAME
// RUN: not skriptnd-opt %t/wrong.mlir --place-htp-tensors 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: skriptnd-opt %t/known.mlir --pass-pipeline='builtin.module(apply-htp-rules{file="%/t/package.htp"},place-htp-tensors,convert-htp-to-skriptnd)' | FileCheck %s --check-prefix=BACK

// The cheaper function takes croutons in VTCM; what it gives is taken as it is by the next op, and brought back for the graph.
// CHECK-LABEL: func.func @chain
// CHECK: %[[X:.+]] = htp.q.flat_to_vtcm(%arg0) : (tensor<1x8x8x32xf16>) -> tensor<1x8x8x32xf16>
// CHECK-NEXT: %[[TILES:.+]] = htp.q.ForceFormat_Crouton(%[[X]])
// CHECK-NEXT: %[[A:.+]] = htp.own.A(%[[TILES]]) {htp.taken = #htp.variant<"fast<F16CroutonTensor_TCM>", "FAST" uses["RESOURCE_HVX"], [<crouton in tcm>, <crouton in tcm>]>}
// CHECK: %[[B:.+]] = htp.own.A(%[[A]])
// CHECK-NEXT: %[[FLAT:.+]] = htp.q.ForceFormat_Flat(%[[B]])
// CHECK-NEXT: %[[MAIN:.+]] = htp.q.flat_from_vtcm(%[[FLAT]])
// CHECK-NEXT: return %[[MAIN]]
// REPORT-DAG: graph.mlir:3:8: remark: own.A by `fast<F16CroutonTensor_TCM>` (FAST, RESOURCE_HVX): its result is crouton in tcm, behind 2 conversions
// REPORT-DAG: graph.mlir:4:8: remark: own.A by `fast<F16CroutonTensor_TCM>` (FAST, RESOURCE_HVX): its result is crouton in tcm, behind 0 conversions

// No function for halves takes 32-bit floats, so the other one does, which takes them as they lie.
// CHECK-LABEL: func.func @floats
// CHECK-NEXT: htp.own.A(%arg0) {htp.taken = #htp.variant<"slow<Tensor>", "GLACIAL", [<any in any>, <any in any>]>}
// REPORT-DAG: remark: own.A by `slow<Tensor>` (GLACIAL): its result is flat in main, behind 0 conversions

// A conversion that the next one undoes is gone, and one serves all that take a tensor so.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[X:.+]] = htp.q.flat_to_vtcm(%arg0)
// CHECK-NOT: ForceFormat
// CHECK: htp.own.C(%[[X]])
// CHECK: htp.own.C(%[[X]])
// CHECK-NOT: to_vtcm
// CHECK: htp.own.D(%arg0)
// REPORT-DAG: remark: own.C by `c` (GLACIAL): its result is flat in main, behind 1 conversion{{$}}

// Of two that cost as much, the one is taken that needs fewer conversions: the operand is in VTCM.
// CHECK-LABEL: func.func @nearer
// CHECK: htp.own.E({{.*}}) {htp.taken = #htp.variant<"there<F16CroutonTensor_TCM>", "FAST"
// CHECK: htp.own.E(%arg0) {htp.taken = #htp.variant<"here<PlainFloat16Tensor>", "FAST"

// Without registrations nothing changes.
// SAME-LABEL: func.func @chain
// SAME-NEXT: htp.own.A(%arg0) :
// SAME: htp.q.ForceFormat_Flat(

// WRONG: wrong.mlir:2:8: error: 'htp.own.A' op expected 2 formats in `#htp.variant`, of the result and each operand, found 1

// What converts formats computes nothing.
// BACK-LABEL: func.func @known
// BACK-NEXT: %[[Y:.+]] = skriptnd.nn.relu(%arg0)
// BACK-NEXT: skriptnd.nn.relu(%[[Y]])
// BACK-NEXT: return
// BACK-LABEL: func.func @quantized
// BACK-NEXT: skriptnd.quant.zero_point_linear_quantize(%arg0)
// BACK-SAME: channel_axis = 0
// BACK-NEXT: skriptnd.nn.relu(
// BACK-NEXT: return

//--- package.htp
BEGIN_PKG_OP_DEFINITION(own)
DEF_PACKAGE_OP(slow<Tensor>, "A")
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(fast<F16CroutonTensor_TCM>, "A", FAST, Flags::RESOURCE_HVX)
DEF_PACKAGE_OP(c, "C")
DEF_TENSOR_PROPERTIES(Op("C", "x"), Flat("*", "x"), Tcm("x"))
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(here<PlainFloat16Tensor>, "E", FAST)
DEF_PACKAGE_OP_AND_COST_AND_FLAGS(there<F16CroutonTensor_TCM>, "E", FAST)
DEF_PACKAGE_OP(relu, "q::Relu")
DEF_TENSOR_PROPERTIES(Op("q::Relu", "x"), Crouton("*", "x"), Tcm("*", "x"))
//--- graph.mlir
// Tensors of halves.
func.func @chain(%x: tensor<1x8x8x32xf16>) -> tensor<1x8x8x32xf16> {
  %0 = htp.own.A(%x) : (tensor<1x8x8x32xf16>) -> tensor<1x8x8x32xf16>
  %1 = htp.own.A(%0) : (tensor<1x8x8x32xf16>) -> tensor<1x8x8x32xf16>
  return %1 : tensor<1x8x8x32xf16>
}
func.func @floats(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = htp.own.A(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @pairs(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = htp.q.ForceFormat_Crouton(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = htp.q.ForceFormat_Flat(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = htp.own.C(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = htp.own.C(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = htp.own.D(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @nearer(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %0 = htp.own.A(%x) : (tensor<4xf16>) -> tensor<4xf16>
  %1 = htp.own.E(%0) : (tensor<4xf16>) -> tensor<4xf16>
  %2 = htp.own.E(%x) : (tensor<4xf16>) -> tensor<4xf16>
  return %1, %2 : tensor<4xf16>, tensor<4xf16>
}
//--- wrong.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = htp.own.A(%x) {htp.variants = [#htp.variant<"f", "FAST", [<any in any>]>]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- known.mlir
func.func @known(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = htp.q.Relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = htp.q.Relu(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @quantized(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = htp.q.Quantize(%x) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = htp.q.Relu(%0) : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
