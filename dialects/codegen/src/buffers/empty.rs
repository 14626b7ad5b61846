//! Operations on tensors without elements do nothing, and their buffers are never touched, but for a first element that is read and
//! not used where extents that only a run knows are 0.

use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, operations_named};
use skriptnd_mlir::ops::{affine, arith, linalg};
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

/// Lets places in a memref that was collapsed be divided by 1 where its extents are 0: upstream's folding of views divides by them for
/// what is read, whether it is used or not.
pub fn divide_by_positive<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    for division in operations_named(module, affine::DELINEARIZE_INDEX) {
        let builder = Builder::before(division)?;
        for (number, extent) in division.operands().enumerate().skip(1).collect::<Vec<_>>() {
            division.set_operand(number, arith::maxsi(&builder, extent, builder.index(1)?)?)?;
        }
    }
    Ok(())
}
