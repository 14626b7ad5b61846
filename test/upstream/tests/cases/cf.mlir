// br
func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i32):
  return
}

// -----
// br without operands
func.func @f() {
  cf.br ^bb1
^bb1:
  return
}

// -----
// cond_br
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%b: i32):
  return
^bb2:
  return
}

// -----
// cond_br of an integer
func.func @f(%c: i32) {
  "cf.cond_br"(%c)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
^bb2:
  return
}

// -----
// cond_br with weights
func.func @f(%c: i1) {
  cf.cond_br %c weights([60, 40]), ^bb1, ^bb2
^bb1:
  return
^bb2:
  return
}

// -----
// assert
func.func @f(%c: i1) {
  cf.assert %c, "why"
  return
}

// -----
// assert without a text
func.func @f(%c: i1) {
  cf.assert %c
  return
}

// -----
// br with too many operands
func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1:
  return
}

// -----
// br with another type
func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i64):
  return
}

// -----
// cond_br with too few
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%b: i32):
  return
^bb2(%d: i32):
  return
}

// -----
// generic switch with operands
func.func @f(%c: i32, %a: i32, %b: i64) {
  "cf.switch"(%c, %a, %b)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 1, 0>, case_values = dense<[42, 43]> : tensor<2xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i64) -> ()
^bb1(%0: i32):
  return
^bb2(%1: i64):
  return
^bb3:
  return
}

// -----
// generic switch with operands of another case
func.func @f(%c: i32, %a: i32, %b: i64) {
  "cf.switch"(%c, %a, %b)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 0, 1>, case_values = dense<[42, 43]> : tensor<2xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i64) -> ()
^bb1(%0: i32):
  return
^bb2(%1: i64):
  return
^bb3:
  return
}
