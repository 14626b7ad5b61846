//! The pass that decides on kernels.

use super::join::{self, Joined};
use super::memory::is_view;
use super::places::Places;
use super::{begins, chains, notes};
use crate::{Error, Target};
use skriptnd_mlir::ir::{OperationRef, operations_named};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::rewrite::with_rewriter;

/// Notes the kernels of more than one operation in a function, and puts the operations of each beside each other. Returns
/// their number.
///
/// # Errors
/// Where operations can't be moved.
pub fn form<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    begins::join(function)?;
    let places = Places::of(function);
    let groups = chains::groups(&operations_named(function, linalg::GENERIC), target);
    let mut kernels = 0;
    for Joined { groups, rows } in join::join(groups, &places, target) {
        let operations: Vec<_> = groups.iter().flat_map(|group| group.operations.iter().copied()).collect();
        if operations.len() > 1 {
            notes::write(kernels, &groups, rows.as_ref());
            gather(&operations, &places)?;
            kernels += 1;
        }
    }
    Ok(kernels)
}

/// Moves operations, and views of what they compute, to where the last of them is.
fn gather<'c: 'a, 'a>(operations: &[OperationRef<'c, 'a>], places: &Places) -> Result<(), Error> {
    let Some((&last, others)) = operations.split_last() else { return Ok(()) };
    let until = places.of_operation(last);
    for &operation in others {
        let mut moved = vec![operation];
        while let Some(operation) = moved.pop() {
            with_rewriter(last, |rewriter| rewriter.move_before(operation, last))?;
            let users = operation.results().flat_map(|result| result.uses()).map(|(user, _)| user);
            moved.extend(users.filter(|user| is_view(*user) && places.of_operation(*user) < until));
        }
    }
    Ok(())
}
