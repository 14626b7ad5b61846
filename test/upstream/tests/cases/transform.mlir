// generic sequence
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic get_parent_op
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.get_parent_op"(%r) : (!transform.any_op) -> !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic merge_handles
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.merge_handles"(%r, %r) : (!transform.any_op, !transform.any_op) -> !transform.any_op
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic cast
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.cast"(%r) : (!transform.any_op) -> !transform.op<"a.b">
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic param
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.param.constant"() <{value = 1 : i32}> : () -> !transform.param<i32>
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic param of any
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.param.constant"() <{value = 1 : i32}> : () -> !transform.any_param
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic get_operand
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.get_operand"(%r) <{raw_position_list = array<i64: 0>}> : (!transform.any_op) -> !transform.any_value
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic num_associations
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.num_associations"(%r) : (!transform.any_op) -> !transform.param<i64>
  "transform.yield"() : () -> ()
}) : () -> ()

// -----
// generic a wrong type
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
^bb0(%r: !transform.any_op):
  %0 = "transform.get_parent_op"(%r) : (!transform.any_op) -> i32
  "transform.yield"() : () -> ()
}) : () -> ()
