//! Results of a function are buffers of their own: a value that is returned twice would share one.

use super::operations::{self, set_operand};
use crate::Error;
use skriptnd_mlir::ir::{InContext, OperationExt, OperationLike, OperationRef, ValueExt, ValueLike, attributes, walk};
use std::collections::HashSet;

/// Copies each value that a function returns again. Returns the number of copies.
pub fn make_distinct<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut copies = 0;
    for terminator in walk(function).into_iter().filter(|operation| operation.full_name() == "func.return") {
        let mut seen = HashSet::new();
        for index in 0..terminator.operand_count() {
            let value = terminator.operand(index).map_err(skriptnd_mlir::Error::from)?;
            if seen.insert(value.key()) {
                continue;
            }
            let segments = attributes::segment_sizes(terminator.in_context(), &[0, 1, 0]);
            let segments = [("operandSegmentSizes", segments)];
            let copy =
                operations::value(terminator, "bufferization.alloc_tensor", &[value], value.r#type(), &segments)?;
            set_operand(terminator, index, copy);
            copies += 1;
        }
    }
    Ok(copies)
}
