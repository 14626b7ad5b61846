//! Results of a function are buffers of their own: a value that is returned twice would share one. What is reshaped at last is
//! computed there at once.

use super::reshapes::Reshape;
use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types, walk};
use skriptnd_mlir::ops::{bufferization, func, linalg, tensor};
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

/// Lets what a function computes, reshapes and returns be computed into memory of the result's shape: bufferization would
/// copy it there. Returns the number of such results.
///
/// # Errors
/// Where a reshape can't be built.
pub fn shape_destinations<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut shaped = 0;
    for terminator in walk(function).into_iter().filter(|operation| operation.full_name() == func::RETURN) {
        for result in terminator.operands() {
            let Some((reshapes, empty)) = reshaped(result) else { continue };
            shaped += usize::from(shape(&reshapes, empty)?);
        }
    }
    Ok(shaped)
}

/// The reshapes of what is computed into an empty tensor, the last one first, and what makes that tensor. Nothing else uses
/// what is between.
fn reshaped<'c: 'a, 'a>(result: Value<'c, 'a>) -> Option<(Vec<Reshape<'c, 'a>>, OperationRef<'c, 'a>)> {
    let (mut value, mut reshapes, mut is_computed) = (result, Vec::new(), false);
    loop {
        let made = value.defining_operation().filter(|_| value.has_one_use())?;
        value = match (made.full_name(), Reshape::of(made)) {
            (tensor::EMPTY, _) => return (is_computed && !reshapes.is_empty()).then_some((reshapes, made)),
            (linalg::GENERIC, _) if made.result_count() == 1 => {
                is_computed = true;
                made.operand(made.operand_count().checked_sub(1)?).ok()?
            }
            (_, Some(reshape)) if !is_computed => {
                reshapes.push(reshape);
                made.operand(0).ok()?
            }
            _ => return None,
        };
    }
}

/// Puts an empty tensor of a result's shape in the place of one of the shape before the reshapes. False where it is not known
/// there what its extents are.
fn shape<'c: 'a, 'a>(reshapes: &[Reshape<'c, 'a>], empty: OperationRef<'c, 'a>) -> Result<bool, Error> {
    let Some(last) = reshapes.first().map(|reshape| reshape.operation) else { return Ok(false) };
    let (extents, kind): (Vec<Value<'c, 'a>>, _) = (last.operands().skip(1).collect(), last.result(0)?.r#type());
    let open = types::shape(kind).unwrap_or_default().into_iter().filter(Option::is_none).count();
    let is_known = open == extents.len() && extents.iter().all(Value::is_block_argument);
    if !is_known || !reshapes.iter().all(Reshape::is_invertible) {
        return Ok(false);
    }
    let builder = Builder::before(empty)?;
    let shaped = tensor::empty(&builder, kind, &extents)?;
    let shaped = reshapes.iter().try_fold(shaped, |shaped, reshape| reshape.inverted(&builder, shaped))?;
    for (user, index) in empty.result(0)?.uses() {
        user.set_operand(index, shaped)?;
    }
    Ok(true)
}
