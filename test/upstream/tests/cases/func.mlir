// generic function and return
"func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
^bb0(%a: i32):
  "func.return"(%a) : (i32) -> ()
}) : () -> ()

// -----
// generic function without a name
"func.func"() <{function_type = () -> ()}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----
// generic call
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "func.call"() <{callee = @f}> : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

// -----
// generic constant
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  %0 = "func.constant"() <{value = @f}> : () -> (() -> ())
  "func.call_indirect"(%0) : (() -> ()) -> ()
  "func.return"() : () -> ()
}) : () -> ()

// -----
// generic call without callee
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
  "func.call"() : () -> ()
  "func.return"() : () -> ()
}) : () -> ()

// -----
// call of nothing
func.func @f() {
  call @g() : () -> ()
  return
}

// -----
// call with another operand
func.func private @g(i32)
func.func @f(%a: i64) {
  call @g(%a) : (i64) -> ()
  return
}

// -----
// call for another number of results
func.func private @g() -> (i32, i32)
func.func @f() {
  %0 = call @g() : () -> i32
  return
}

// -----
// constant of nothing
func.func @f() {
  %0 = constant @g : () -> ()
  return
}

// -----
// constant of another type
func.func private @g(i32)
func.func @f() {
  %0 = constant @g : () -> ()
  return
}
