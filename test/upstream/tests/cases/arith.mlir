// addi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %a, %b : i32
  return
}

// -----
// subi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.subi %a, %b : i32
  return
}

// -----
// muli
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.muli %a, %b : i32
  return
}

// -----
// divsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.divsi %a, %b : i32
  return
}

// -----
// divui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.divui %a, %b : i32
  return
}

// -----
// remsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.remsi %a, %b : i32
  return
}

// -----
// remui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.remui %a, %b : i32
  return
}

// -----
// andi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.andi %a, %b : i32
  return
}

// -----
// ori
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.ori %a, %b : i32
  return
}

// -----
// xori
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.xori %a, %b : i32
  return
}

// -----
// shli
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.shli %a, %b : i32
  return
}

// -----
// shrsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.shrsi %a, %b : i32
  return
}

// -----
// shrui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.shrui %a, %b : i32
  return
}

// -----
// ceildivsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.ceildivsi %a, %b : i32
  return
}

// -----
// ceildivui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.ceildivui %a, %b : i32
  return
}

// -----
// floordivsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.floordivsi %a, %b : i32
  return
}

// -----
// maxsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.maxsi %a, %b : i32
  return
}

// -----
// maxui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.maxui %a, %b : i32
  return
}

// -----
// minsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.minsi %a, %b : i32
  return
}

// -----
// minui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.minui %a, %b : i32
  return
}

// -----
// addf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addf %x, %y : f32
  return
}

// -----
// subf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.subf %x, %y : f32
  return
}

// -----
// mulf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.mulf %x, %y : f32
  return
}

// -----
// divf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.divf %x, %y : f32
  return
}

// -----
// remf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.remf %x, %y : f32
  return
}

// -----
// maximumf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.maximumf %x, %y : f32
  return
}

// -----
// minimumf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.minimumf %x, %y : f32
  return
}

// -----
// maxnumf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.maxnumf %x, %y : f32
  return
}

// -----
// minnumf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.minnumf %x, %y : f32
  return
}

// -----
// addf with flags
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addf %x, %y fastmath<fast> : f32
  return
}

// -----
// addf with two flags
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addf %x, %y fastmath<nnan,ninf> : f32
  return
}

// -----
// addf with no flags
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addf %x, %y fastmath<none> : f32
  return
}

// -----
// addf with unknown flags
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addf %x, %y fastmath<slow> : f32
  return
}

// -----
// addi with overflow
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %a, %b overflow<nsw, nuw> : i32
  return
}

// -----
// addi of reals
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %x, %y : f32
  return
}

// -----
// addi of two types
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.addi"(%a, %l) : (i32, i64) -> i32
  return
}

// -----
// addi of vectors
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %v, %v : vector<4xi32>
  return
}

// -----
// addi of index
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %i, %i : index
  return
}

// -----
// addi without operand
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----
// addf of integers
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.addf"(%a, %b) : (i32, i32) -> i32
  return
}

// -----
// negf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.negf %x : f32
  return
}

// -----
// negf of an integer
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.negf %a : i32
  return
}

// -----
// cmpi eq
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi eq, %a, %b : i32
  return
}

// -----
// cmpi ne
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi ne, %a, %b : i32
  return
}

// -----
// cmpi slt
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi slt, %a, %b : i32
  return
}

// -----
// cmpi sle
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi sle, %a, %b : i32
  return
}

// -----
// cmpi sgt
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi sgt, %a, %b : i32
  return
}

// -----
// cmpi sge
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi sge, %a, %b : i32
  return
}

// -----
// cmpi ult
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi ult, %a, %b : i32
  return
}

// -----
// cmpi ule
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi ule, %a, %b : i32
  return
}

// -----
// cmpi ugt
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi ugt, %a, %b : i32
  return
}

// -----
// cmpi uge
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi uge, %a, %b : i32
  return
}

// -----
// cmpi unknown
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi foo, %a, %b : i32
  return
}

// -----
// cmpi of a number
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.cmpi"(%a, %b) <{predicate = 11 : i64}> : (i32, i32) -> i1
  return
}

// -----
// cmpi of vectors
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpi slt, %v, %v : vector<4xi32>
  return
}

// -----
// cmpf oeq
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpf oeq, %x, %y : f32
  return
}

// -----
// cmpf ogt
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpf ogt, %x, %y : f32
  return
}

// -----
// cmpf une
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpf une, %x, %y : f32
  return
}

// -----
// cmpf ord
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpf ord, %x, %y : f32
  return
}

// -----
// cmpf true
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpf true, %x, %y : f32
  return
}

// -----
// cmpf with flags
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.cmpf oeq, %x, %y fastmath<contract> : f32
  return
}

// -----
// cmpf to a wrong type
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.cmpf"(%x, %y) <{predicate = 1 : i64}> : (f32, f32) -> i32
  return
}

// -----
// constant
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.constant 1 : i32
  return
}

// -----
// constant of a tensor
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  return
}

// -----
// constant of another type
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.constant"() <{value = 1 : i64}> : () -> i32
  return
}

// -----
// constant text
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.constant "x"
  return
}

// -----
// extsi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.extsi %a : i32 to i64
  return
}

// -----
// extui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.extui %a : i32 to i64
  return
}

// -----
// extsi of reals
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.extsi %x : f32 to f64
  return
}

// -----
// trunci
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.trunci %l : i64 to i32
  return
}

// -----
// trunci with overflow
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.trunci %l overflow<nsw> : i64 to i32
  return
}

// -----
// extf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.extf %x : f32 to f64
  return
}

// -----
// truncf
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.truncf %x : f32 to f16
  return
}

// -----
// truncf with mode
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.truncf %x to_nearest_even : f32 to f16
  return
}

// -----
// truncf with flags
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.truncf %x fastmath<fast> : f32 to f16
  return
}

// -----
// sitofp
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.sitofp %a : i32 to f32
  return
}

// -----
// uitofp
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.uitofp %a : i32 to f32
  return
}

// -----
// fptosi
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.fptosi %x : f32 to i32
  return
}

// -----
// fptoui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.fptoui %x : f32 to i32
  return
}

// -----
// fptosi of an integer
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.fptosi %a : i32 to i32
  return
}

// -----
// index_cast
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.index_cast %i : index to i32
  return
}

// -----
// index_castui
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.index_castui %a : i32 to index
  return
}

// -----
// bitcast
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.bitcast %a : i32 to f32
  return
}

// -----
// select
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.select %c, %a, %b : i32
  return
}

// -----
// select of a wrong condition
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = "arith.select"(%a, %a, %b) : (i32, i32, i32) -> i32
  return
}

// -----
// addui_extended
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0, %1 = arith.addui_extended %a, %b : i32, i1
  return
}

// -----
// mulsi_extended
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0, %1 = arith.mulsi_extended %a, %b : i32
  return
}

// -----
// mului_extended
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0, %1 = arith.mului_extended %a, %b : i32
  return
}

// -----
// attribute dictionary
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %a, %b {note = 1 : i32} : i32
  return
}

// -----
// missing type
func.func @f(%a: i32, %b: i32, %x: f32, %y: f32, %i: index, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %t: tensor<?xf32>, %l: i64) {
  %0 = arith.addi %a, %b
  return
}
