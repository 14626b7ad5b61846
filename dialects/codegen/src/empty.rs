//! Operations on tensors without elements do nothing, and their buffers are never touched.

use crate::Error;
use crate::structured::Structured;
use skriptnd_mlir::ir::{OperationRef, operations_named};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::rewrite::with_rewriter;

/// Erases structured operations on memrefs whose iteration space is empty. Returns their number.
pub fn erase_empty<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut erased = 0;
    for operation in operations_named(module, linalg::GENERIC) {
        let empty = Structured::read(operation).is_some_and(|view| view.extents.contains(&0));
        if empty && operation.result_count() == 0 {
            with_rewriter(operation, |rewriter| rewriter.erase(operation))?;
            erased += 1;
        }
    }
    Ok(erased)
}
