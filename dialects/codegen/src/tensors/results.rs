//! Results of a function are buffers of their own: a value that is returned twice would share one.

use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, walk};
use skriptnd_mlir::ops::{bufferization, func};
use std::collections::HashSet;

/// Copies each value that a function returns again. Returns the number of copies.
pub fn make_distinct<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut copies = 0;
    for terminator in walk(function).into_iter().filter(|operation| operation.full_name() == func::RETURN) {
        let mut seen = HashSet::new();
        for index in 0..terminator.operand_count() {
            let value = terminator.operand(index)?;
            if seen.insert(value.key()) {
                continue;
            }
            let copy = bufferization::copied(&Builder::before(terminator)?, value)?;
            terminator.set_operand(index, copy)?;
            copies += 1;
        }
    }
    Ok(copies)
}
