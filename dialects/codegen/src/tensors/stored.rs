//! Tensors of integers are stored in the narrowest form that has all their numbers: what computes them cuts them, what reads them
//! extends them. Where both become one kernel, neither is left.

use super::extended::{Extended, extension};
use super::operations::converted;
use super::sunk::reads;
use crate::Error;
use crate::nest::element::Number;
use crate::values::range::Ranges;
use crate::values::ranges;
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg};

/// Stores the results of a function's structured operations in few bits. Returns how many tensors it are.
pub fn store_narrow<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let ranges = ranges(function);
    let results = operations_named(function, linalg::GENERIC).into_iter().flat_map(|made| made.result_values());
    let stored: Vec<_> = results.filter_map(|result| Some((result, form(result, &ranges)?))).collect();
    for (result, form) in &stored {
        store(*result, *form)?;
    }
    Ok(stored.len())
}

/// How integers are stored, the narrowest first.
const FORMS: [Number; 5] =
    [Number::Signed(8), Number::Unsigned(8), Number::Signed(16), Number::Unsigned(16), Number::Signed(32)];

/// How a tensor can be stored in fewer bits, if it is worth it.
fn form(result: Value<'_, '_>, ranges: &Ranges) -> Option<Number> {
    let element = types::element(result.r#type());
    let own = types::width(element).filter(|width| element.is_integer() && *width > 8)?;
    let definition = result.defining_operation()?;
    let is_computed = Structured::read(definition)?.inputs.iter().any(|input| input.r#type().is_ranked_tensor());
    let is_read = result.uses().into_iter().all(|(user, number)| reads(user, number));
    if !is_computed || !is_read || Extended::of(result).is_some() || types::rank(result.r#type()) == Some(0) {
        return None;
    }
    let range = ranges.get(result);
    FORMS.into_iter().find(|form| form.element().bytes() * 8 < own.into() && range.fits(*form))
}

fn store<'c: 'a, 'a>(result: Value<'c, 'a>, form: Number) -> Result<(), Error> {
    let readers = result.uses();
    let Some((first, _)) = readers.first() else { return Ok(()) };
    let builder = match result.defining_operation().and_then(|made| made.next()) {
        Some(next) => Builder::before(next)?,
        None => Builder::before(*first)?,
    };
    let shape = types::shape(result.r#type()).unwrap_or_default();
    let narrow = types::tensor(elements::r#type(builder.context(), form.element())?, &shape);
    let narrow = narrow.ok_or_else(|| Error::malformed("no tensor of integers"))?;
    let stored = converted(&builder, result, arith::TRUNCI, narrow)?;
    let wide = converted(&builder, stored, extension(form), result.r#type())?;
    for (reader, number) in readers {
        reader.set_operand(number, wide)?;
    }
    Ok(())
}
