// generic if
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.if"(%c) ({
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}

// -----
// generic if of an integer
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.if"(%a) ({
    "scf.yield"() : () -> ()
  }, {
  }) : (i32) -> ()
  return
}

// -----
// generic for
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.for"(%i, %i, %i) ({
  ^bb0(%k: index):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----
// generic for without a step
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.for"(%i, %i) ({
  ^bb0(%k: index):
    "scf.yield"() : () -> ()
  }) : (index, index) -> ()
  return
}

// -----
// generic while
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  %0 = "scf.while"(%a) ({
  ^bb0(%k: i32):
    "scf.condition"(%c, %k) : (i1, i32) -> ()
  }, {
  ^bb0(%k: i32):
    "scf.yield"(%k) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----
// generic execute_region
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.execute_region"() ({
    "scf.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----
// generic index_switch
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.index_switch"(%i) <{cases = array<i64: 1>}> ({
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----
// generic parallel
func.func @f(%c: i1, %i: index, %a: i32, %t: tensor<8xf32>) {
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%k: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
