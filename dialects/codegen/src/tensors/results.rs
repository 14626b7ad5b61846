//! Results of a function are buffers of their own: a value that is returned twice would share one.

use super::operations;
use crate::Error;
use skriptnd_mlir::ir::{OperationRef, attributes, walk};
use std::collections::HashSet;

/// Copies each value that a function returns again. Returns the number of copies.
pub fn make_distinct<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut copies = 0;
    for terminator in walk(function).into_iter().filter(|operation| operation.full_name() == "func.return") {
        let mut seen = HashSet::new();
        for index in 0..terminator.operand_count() {
            let value = terminator.operand(index)?;
            if seen.insert(value.key()) {
                continue;
            }
            let segments = attributes::segment_sizes(terminator.context(), &[0, 1, 0]);
            let segments = [("operandSegmentSizes", segments)];
            let copy =
                operations::value(terminator, "bufferization.alloc_tensor", &[value], value.r#type(), &segments)?;
            terminator.set_operand(index, copy)?;
            copies += 1;
        }
    }
    Ok(copies)
}
