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
