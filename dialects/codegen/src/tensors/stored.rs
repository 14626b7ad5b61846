//! Tensors of integers are stored in the narrowest form that has all their numbers: what computes them cuts them, what reads them
//! extends them. Where both become one kernel, neither is left.

use super::extended::{Extended, extension};
use super::operations::{converted, known_as};
use super::sunk::reads;
use crate::Error;
use crate::nest::element::Number;
use crate::values::range::{Range, Ranges};
use crate::values::ranges;
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg};

/// Stores the results of a function's structured operations in few bits. Returns how many tensors it are.
pub fn store_narrow<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let ranges = ranges(function);
    let results = operations_named(function, linalg::GENERIC).into_iter().flat_map(|made| made.result_values());
    let stored: Vec<_> = results.filter_map(|result| Some((result, form(result, &ranges)?))).collect();
    for (result, form) in &stored {
        store(*result, *form)?;
    }
    let constants = operations_named(function, arith::CONSTANT);
    let known = constants.into_iter().map(store_known).collect::<Result<Vec<_>, _>>()?;
    Ok(stored.len() + known.into_iter().filter(|is_stored| *is_stored).count())
}

/// Constants of more elements stay as they are.
const MOST_KNOWN: usize = 1 << 12;

/// Stores a tensor that is known in the narrowest form. Returns whether that is another one.
fn store_known<'c: 'a, 'a>(made: OperationRef<'c, 'a>) -> Result<bool, Error> {
    let numbers = made.get("value").and_then(attributes::as_whole_numbers);
    let Some(numbers) = numbers.filter(|numbers| (2..=MOST_KNOWN).contains(&numbers.len())) else { return Ok(false) };
    let result = made.result(0)?;
    let readers = result.uses();
    let fits = |form: &Number| numbers.iter().all(|number| Range::integer(*number).fits(*form));
    let Some(form) = FORMS.into_iter().find(fits) else { return Ok(false) };
    let is_read = |(user, number): &(_, _)| OperationRef::full_name(user) == linalg::GENERIC && reads(*user, *number);
    if readers.is_empty() || !readers.iter().all(is_read) {
        return Ok(false);
    }
    let known = known_as(made, &numbers, form)?;
    let builder = Builder::before(made)?;
    let wide = converted(&builder, known, extension(form), result.r#type())?;
    for (reader, number) in readers {
        reader.set_operand(number, wide)?;
    }
    Ok(true)
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
