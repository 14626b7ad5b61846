// RUN: not skriptnd-opt %s --codegen-lower-pads 2>&1 | FileCheck %s
// CHECK: can't be compiled: padding by less than nothing beside extents that only the run knows
func.func @open(%x: tensor<?xf32>, %zero: f32) -> tensor<?xf32> {
  %y = tensor.pad %x low[-1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}
