// Padding becomes a filled tensor into which the source is inserted, so that bufferization lets the source's producer write
// into the padded buffer itself.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @padding(%module: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %functions {
      transform.apply_patterns.linalg.decompose_pad
    } : !transform.any_op
    transform.yield
  }
}
