// pattern
pdl.pattern @p : benefit(1) {
  %op = pdl.operation
  pdl.rewrite %op with "r"
}

// -----
// named operation
pdl.pattern @p : benefit(1) {
  %op = pdl.operation "a.b"
  pdl.rewrite %op with "r"
}

// -----
// types
pdl.pattern @p : benefit(1) {
  %t = pdl.type : i32
  %op = pdl.operation "a.b" -> (%t : !pdl.type)
  pdl.rewrite %op with "r"
}

// -----
// operands
pdl.pattern @p : benefit(1) {
  %x = pdl.operand
  %op = pdl.operation "a.b"(%x : !pdl.value)
  pdl.rewrite %op with "r"
}

// -----
// attributes
pdl.pattern @p : benefit(1) {
  %x = pdl.attribute = 1 : i32
  %op = pdl.operation "a.b" {"x" = %x}
  pdl.rewrite %op with "r"
}

// -----
// ranges
pdl.pattern @p : benefit(1) {
  %x = pdl.operands
  %t = pdl.types
  %op = pdl.operation "a.b"(%x : !pdl.range<value>) -> (%t : !pdl.range<type>)
  pdl.rewrite %op with "r"
}

// -----
// result
pdl.pattern @p : benefit(1) {
  %t = pdl.type
  %q = pdl.operation "a.c" -> (%t : !pdl.type)
  %r = pdl.result 0 of %q
  %op = pdl.operation "a.b"(%r : !pdl.value)
  pdl.rewrite %op with "r"
}

// -----
// unknown type
pdl.pattern @p : benefit(1) {
  %x = "pdl.operand"() : () -> !pdl.foo
  %op = pdl.operation
  pdl.rewrite %op with "r"
}

// -----
// constraint
pdl.pattern @p : benefit(1) {
  %x = pdl.operand
  pdl.apply_native_constraint "c"(%x : !pdl.value)
  %op = pdl.operation "a.b"(%x : !pdl.value)
  pdl.rewrite %op with "r"
}

// -----
// a negative benefit
pdl.pattern @p : benefit(-1) {
  %op = pdl.operation
  pdl.rewrite %op with "r"
}
