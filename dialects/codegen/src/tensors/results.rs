//! Results of a function are buffers of their own: a value that is returned twice would share one. What is reshaped at last is
//! computed there at once.

use super::reshapes::Reshape;
use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types, walk};
use skriptnd_mlir::ops::{Size, bufferization, func, linalg, tensor};
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
    let builder = Builder::before(empty)?;
    let mut shapes = vec![made_with(empty)?];
    for reshape in reshapes.iter().rev() {
        let Some(next) = shapes.last().map(|own| reshaped_to(&builder, reshape, own)).transpose()?.flatten() else {
            return Ok(false);
        };
        shapes.push(next);
    }
    let (Some(last), Some(first)) = (shapes.pop(), reshapes.first()) else { return Ok(false) };
    let open: Vec<_> = last.into_iter().filter_map(Size::computed).collect();
    let mut shaped = tensor::empty(&builder, first.operation.result(0)?.r#type(), &open)?;
    for (reshape, shape) in reshapes.iter().zip(shapes.iter().rev()) {
        shaped = reshape.inverted(&builder, shaped, shape)?;
    }
    for (user, index) in empty.result(0)?.uses() {
        user.set_operand(index, shaped)?;
    }
    Ok(true)
}

/// The extents that an empty tensor is made with.
fn made_with<'c: 'a, 'a>(empty: OperationRef<'c, 'a>) -> Result<Vec<Size<'c, 'a>>, Error> {
    let shape = types::shape(empty.result(0)?.r#type()).unwrap_or_default();
    let mut open = empty.operands();
    let mut extent = |known: Option<u64>| {
        known.map_or_else(|| open.next().map(Size::Value), |known| Some(Size::Known(known as i64)))
    };
    let extents: Option<Vec<_>> = shape.into_iter().map(&mut extent).collect();
    extents.ok_or_else(|| Error::malformed("an empty tensor without its extents"))
}

/// The extents of a reshaped tensor, as values at a place before it; none where they are not known there.
fn reshaped_to<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    reshape: &Reshape<'c, 'a>,
    source: &[Size<'c, 'a>],
) -> Result<Option<Vec<Size<'c, 'a>>>, Error> {
    let result = reshape.operation.result(0)?.r#type();
    let mut given = reshape.operation.operands().skip(1);
    let mut extents = Vec::new();
    for (dim, known) in types::shape(result).unwrap_or_default().into_iter().enumerate() {
        let group = reshape.groups.get(dim).filter(|_| reshape.operation.full_name() == tensor::COLLAPSE_SHAPE);
        extents.push(match (known, group) {
            (Some(known), _) => Size::Known(known as i64),
            (None, Some(parts)) => {
                let parts = parts.iter().map(|&part| source[part]);
                parts.map(Ok).reduce(|product, part| product?.times(part?, builder)).unwrap_or(Ok(Size::Known(1)))?
            }
            (None, None) => {
                let Some(again) = given.next().map(|given| again(builder, given)).transpose()?.flatten() else {
                    return Ok(None);
                };
                Size::Value(again)
            }
        });
    }
    Ok(Some(extents))
}

/// A number at another place, where it is computed of arguments again; none where it is not made of them alone.
fn again<'c: 'a, 'a>(builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Error> {
    let Some(made) = number.defining_operation() else { return Ok(Some(number).filter(Value::is_block_argument)) };
    let is_of_numbers = made.full_name().starts_with("arith.") && made.result_count() == 1;
    if !is_of_numbers && made.full_name() != tensor::DIM {
        return Ok(None);
    }
    let operands = made.operands().map(|operand| again(builder, operand)).collect::<Result<Option<Vec<_>>, _>>()?;
    Ok(operands.map(|operands| builder.copy(made, &operands)?.result(0)).transpose()?)
}
