//! What extends the elements of a tensor that is stored in few bits goes behind what moves them: padding, slices, reshapes, parts of
//! a larger tensor, and elements that are read by index. So few bits are moved.

use super::extended::{Extended, extension};
use super::operations::{known_as, open_extents, padded_by};
use crate::Error;
use crate::nest::element::Number;
use crate::nest::table::MOST;
use crate::values::range::Range;
use crate::views::constants::{constant, integer, is_zero};
use crate::views::shapes::outputs;
use crate::views::structured::{Structured, copy};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, block_arguments, types, walk};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// What has the elements of its first operand in other places.
const MOVES: [&str; 4] = [tensor::PAD, tensor::EXTRACT_SLICE, tensor::EXPAND_SHAPE, tensor::COLLAPSE_SHAPE];

/// Moves extensions in a function behind what moves elements.
pub fn sink_extensions<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    walk(function).into_iter().try_for_each(sink)
}

/// Whether an operation reads an operand element by element, or moves its elements: it does the same to fewer bits.
pub fn reads(user: OperationRef<'_, '_>, operand: usize) -> bool {
    match user.full_name() {
        linalg::GENERIC => outputs(user).is_some_and(|outputs| operand + outputs.len() < user.operands().count()),
        tensor::EXTRACT => operand == 0,
        tensor::INSERT_SLICE => operand < 2 && is_read(user),
        name => MOVES.contains(&name),
    }
}

/// Whether all that uses the result of an operation reads it so.
fn is_read(made: OperationRef<'_, '_>) -> bool {
    made.result(0).is_ok_and(|result| result.uses().into_iter().all(|(user, operand)| reads(user, operand)))
}

fn sink<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let moved = match operation.full_name() {
        tensor::EXTRACT => return sink_element(operation),
        linalg::GENERIC => reordered(operation)?,
        tensor::INSERT_SLICE => parted(operation)?,
        name if MOVES.contains(&name) => moved(operation)?,
        _ => return Ok(()),
    };
    let Some((extended, moved)) = moved else { return Ok(()) };
    let builder = Builder::before(operation)?;
    let result = extended.again(&builder, moved, operation.result(0)?.r#type())?;
    with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?;
    Ok(())
}

/// What is extended, and its elements moved as they are stored.
type Moved<'c, 'a> = Option<(Extended<'c, 'a>, Value<'c, 'a>)>;

/// A tensor of such elements as a source has, shaped as the result.
fn narrow<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, source: Value<'c, 'a>) -> Result<Type<'c>, Error> {
    let shape = types::shape(operation.result(0)?.r#type()).unwrap_or_default();
    let narrow = types::tensor(types::element(source.r#type()), &shape);
    narrow.ok_or_else(|| Error::malformed("no tensor of such elements"))
}

fn moved<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Moved<'c, 'a>, Error> {
    let Some(extended) = Extended::of(operation.operand(0)?) else { return Ok(None) };
    let narrow = narrow(operation, extended.source)?;
    let moved = if operation.full_name() == tensor::PAD {
        let Some(fill) = fill(operation).filter(|fill| holds(extended.number, *fill)) else { return Ok(None) };
        padded_by(operation, extended.source, narrow, fill)?
    } else {
        again(operation, &[extended.source], narrow)?
    };
    Ok(Some((extended, moved)))
}

/// The same of a copy with its dimensions in another order, or of what lies elsewhere along them.
fn reordered<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Moved<'c, 'a>, Error> {
    let copied = Structured::read(operation).filter(|own| own.is_parallel() && own.inputs.len() == 1 && !own.reads(1));
    let Some(structured) = copied else { return Ok(None) };
    let argument = block_arguments(structured.body).next().map(|argument| argument.key());
    let given = structured.body.terminator().and_then(|end| end.operand(0).ok()).map(|given| given.key());
    let is_moved = |dim: usize| structured.maps[0].results.iter().any(|expr| expr.uses(dim));
    let is_written = structured.output_map().is_some_and(Map::is_permutation) && given == argument;
    let are_moved = is_written && (0..structured.extents.len()).all(is_moved) && operation.result_count() == 1;
    // Conversions of what lies there several times are more than what is moved.
    let has_once = structured.maps[0].is_permutation();
    let fits = |own: &Extended<'c, 'a>| has_once || [arith::EXTSI, arith::EXTUI].contains(&own.extension);
    let Some(extended) = Extended::of(structured.inputs[0]).filter(|own| are_moved && fits(own)) else {
        return Ok(None);
    };
    let builder = Builder::before(operation)?;
    let narrow = narrow(operation, extended.source)?;
    let empty = tensor::empty(&builder, narrow, &open_extents(&builder, structured.outputs[0])?)?;
    let copy = copy(builder, (extended.source, &structured.maps[0]), (empty, &structured.maps[1]))?;
    Ok(Some((extended, copy.result(0)?)))
}

/// A part of a tensor that is extended as the part is, or of which nothing is there yet.
fn parted<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<Moved<'c, 'a>, Error> {
    let whole = operation.operand(1)?;
    let part = Extended::of(operation.operand(0)?).filter(|part| is_integer(part.number) && is_read(operation));
    let Some(part) = part else { return Ok(None) };
    let narrow = narrow(operation, part.source)?;
    let is_empty = whole.defining_operation().is_some_and(|made| made.full_name() == tensor::EMPTY);
    let stored = match Extended::of(whole) {
        Some(stored) if (stored.number, stored.extension) == (part.number, part.extension) => stored.source,
        None if is_empty => {
            let builder = Builder::before(operation)?;
            tensor::empty(&builder, narrow, &open_extents(&builder, whole)?)?
        }
        _ => return Ok(None),
    };
    Ok(Some((part, again(operation, &[part.source, stored], narrow)?)))
}

/// The operation on other operands in the place of its first ones, before it.
fn again<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    first: &[Value<'c, 'a>],
    kind: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let operands: Vec<_> = first.iter().copied().chain(operation.operands().skip(first.len())).collect();
    let attributes: Vec<_> = operation.attributes().collect();
    Ok(Builder::before(operation)?.value(operation.full_name(), &operands, &attributes, kind)?)
}

/// Extends an element that is read by index in place of all of them.
fn sink_element<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Error> {
    let table = operation.operand(0)?;
    let builder = Builder::before(operation)?;
    let extended = Extended::of(table).filter(|it| is_integer(it.number)).map(|it| (it.source, it.extension));
    let Some((source, extension)) = extended.map_or_else(|| known_bytes(table), |it| Ok(Some(it)))? else {
        return Ok(());
    };
    let indices: Vec<_> = operation.operands().skip(1).collect();
    let element = tensor::extract(&builder, source, &indices)?;
    let wide = builder.value(extension, &[element], &[], operation.result(0)?.r#type())?;
    with_rewriter(operation, |rewriter| rewriter.replace(operation, &[wide]))?;
    Ok(())
}

/// A table that is known as one of bytes, and what extends them.
fn known_bytes<'c: 'a, 'a>(table: Value<'c, 'a>) -> Result<Option<(Value<'c, 'a>, &'static str)>, Error> {
    let numbers = constant(table).and_then(attributes::as_whole_numbers);
    let numbers = numbers.and_then(|numbers| Some((table.defining_operation()?, numbers)));
    let Some((made, numbers)) = numbers.filter(|(_, numbers)| (1..=MOST as usize).contains(&numbers.len())) else {
        return Ok(None);
    };
    let bytes = [Number::Signed(8), Number::Unsigned(8)];
    let form = bytes.into_iter().find(|form| numbers.iter().all(|value| holds(*form, *value)));
    form.map(|form| Ok((known_as(made, &numbers, form)?, extension(form)))).transpose()
}

fn is_integer(number: Number) -> bool {
    matches!(number, Number::Signed(_) | Number::Unsigned(_))
}

/// The whole number that a pad adds, if it is one.
pub(super) fn fill(pad: OperationRef<'_, '_>) -> Option<i64> {
    let added = pad.region(0).ok()?.first_block()?.terminator()?.operand(0).ok()?;
    integer(added).or_else(|| is_zero(added).then_some(0))
}

/// Whether elements that are stored so may be this.
fn holds(number: Number, value: i64) -> bool {
    Range::integer(value).fits(number) || !is_integer(number) && value == 0
}
