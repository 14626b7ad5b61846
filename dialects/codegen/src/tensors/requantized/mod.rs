//! Sums that become quantized values again: `clamp(((sum * M + 2^(s-1)) >> s) + zero)`, of whole numbers. Few processors have vectors of
//! 64 bits for that; words of 32 bits do where what is multiplied is limited.

mod digits;
mod known;
mod prepared;
mod reals;

use crate::Error;
use crate::target::Target;
use crate::values::range::{Range, Ranges};
use crate::values::ranges;
use crate::views::constants::integer;
use crate::views::structured::Structured;
use digits::Digits;
use known::{Known, term};
use prepared::Prepared;
use reals::Reals;
pub use reals::quantizes_input;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg};
use std::cmp::Ordering;

/// The greatest magnitude of limits, less the zero: those of 16 bits, with zeros that have part of a bias.
const MOST_STEPS: f64 = (1u64 << 18) as f64;

/// Gives the sums in a function that are quantized again a form in words. Returns how many it are.
pub fn requantize_in_words<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let ranges = ranges(function);
    let has_vectors = target.isa.lanes() > 1;
    let operations = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let found = operations.filter_map(|structured| {
        if let Some(reals) = Some(&structured).filter(|_| target.isa.only_words).and_then(Reals::of) {
            return Some((Form::Reals(reals), structured));
        }
        let rounded = Rounded::of(&structured)?;
        let limits = Limits::of(&rounded, &ranges)?;
        let digits = has_vectors.then(|| Digits::of(&rounded, &limits, &ranges)).flatten().map(Form::Digits);
        Some((digits.or_else(|| Form::of(&structured, &rounded, &limits, &ranges))?, structured))
    });
    let found: Vec<_> = found.collect();
    for (form, structured) in &found {
        match form {
            Form::Digits(digits) => digits.rewrite(structured)?,
            // Without vectors, packets of Hexagon have room for what is left out elsewhere.
            Form::Prepared(prepared) => prepared.rewrite(structured, !target.is_hexagon() || target.isa.only_whole)?,
            Form::Known(known) => known.rewrite(structured)?,
            Form::Reals(reals) => reals.rewrite(structured)?,
        }
    }
    Ok(found.len())
}

/// How it is computed in words.
enum Form<'c, 'a> {
    /// In 16 bits, with multipliers that are known when compiled: worth it where vectors have more of these.
    Digits(Digits<'c, 'a>),
    /// With multipliers that preparation knows.
    Prepared(Prepared<'c, 'a>),
    /// With multipliers that are known when compiled.
    Known(Known<'c, 'a>),
    /// Of the bits of reals.
    Reals(Reals<'c, 'a>),
}

impl<'c: 'a, 'a> Form<'c, 'a> {
    fn of(
        structured: &Structured<'c, 'a>,
        rounded: &Rounded<'c, 'a>,
        limits: &Limits<'c, 'a>,
        ranges: &Ranges,
    ) -> Option<Self> {
        let prepared = || Prepared::of(structured, rounded, limits, ranges).map(Form::Prepared);
        Known::of(rounded, limits, ranges).map(Form::Known).or_else(prepared)
    }
}

/// What is shifted right and rounded in the body of a structured operation, and what becomes of it.
struct Rounded<'c, 'a> {
    /// What half of a step is added to.
    product: Value<'c, 'a>,
    /// The shift.
    by: Value<'c, 'a>,
    /// What is added behind.
    zero: Option<Value<'c, 'a>>,
    /// The least and the greatest value that is given then.
    limits: (i64, i64),
}

impl<'c: 'a, 'a> Rounded<'c, 'a> {
    fn of(structured: &Structured<'c, 'a>) -> Option<Self> {
        let result = structured.body.terminator()?.operand(0).ok()?;
        let (value, limits) = limited(passed(result, &[arith::EXTSI, arith::TRUNCI]))?;
        let (shifted, zero) = match operands(value, arith::ADDI) {
            Some([left, right]) if named(left, arith::SHRSI).is_some() => (left, Some(right)),
            Some([left, right]) if named(right, arith::SHRSI).is_some() => (right, Some(left)),
            _ => (value, None),
        };
        let [sum, by] = operands(shifted, arith::SHRSI).filter(|_| types::is_integer(shifted.r#type(), 64))?;
        let [left, right] = operands(sum, arith::ADDI)?;
        let product = if is_half(right, by) { left } else { Some(right).filter(|_| is_half(left, by))? };
        Some(Rounded { product, by, zero, limits })
    }
}

/// Where results are limited.
#[derive(Clone, Copy)]
struct Limits<'c, 'a> {
    /// What is added before.
    zero: Option<Value<'c, 'a>>,
    /// The least and the greatest result.
    results: (i64, i64),
    /// How far from the zero they are at most.
    steps: i64,
}

impl<'c: 'a, 'a> Limits<'c, 'a> {
    fn of(rounded: &Rounded<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let Rounded { zero, limits, .. } = *rounded;
        let zeros = zero.map_or(Range::one(0.0), |zero| ranges.get(zero));
        let steps = limits.1.abs().max(limits.0.abs()) as f64 + zeros.magnitude();
        (steps <= MOST_STEPS).then_some(Limits { zero, results: limits, steps: steps as i64 })
    }

    /// A rounded word as a result, which the output has in its own type. `zero` is what is added, where that is.
    fn result(
        &self,
        body: &Builder<'c, 'a>,
        rounded: Value<'c, 'a>,
        zero: Option<Value<'c, 'a>>,
        output: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let word = types::integer(body.context(), 32);
        let value = match zero {
            Some(zero) => arith::addi(body, rounded, resized(body, zero, word)?)?,
            None => rounded,
        };
        let bound = |number| body.integer(word, number);
        let value = arith::maxsi(body, value, bound(self.results.0)?)?;
        resized(body, arith::minsi(body, value, bound(self.results.1)?)?, output)
    }
}

/// An integer in a type that has it.
fn resized<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    kind: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    Ok(match types::width(value.r#type()).cmp(&types::width(kind)) {
        Ordering::Greater => arith::trunci(builder, value, kind)?,
        Ordering::Less => arith::extsi(builder, value, kind)?,
        Ordering::Equal => value,
    })
}

/// What operations of these names were given, one behind the other.
fn passed<'c: 'a, 'a>(mut value: Value<'c, 'a>, names: &[&str]) -> Value<'c, 'a> {
    while let Some(made) = value.defining_operation().filter(|made| names.contains(&made.full_name())) {
        let Ok(given) = made.operand(0) else { break };
        value = given;
    }
    value
}

fn named<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<OperationRef<'c, 'a>> {
    value.defining_operation().filter(|made| made.full_name() == name)
}

/// The operands of what gives a value, if that has this name.
fn operands<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<[Value<'c, 'a>; 2]> {
    let made = named(value, name)?;
    Some([made.operand(0).ok()?, made.operand(1).ok()?])
}

/// What is limited to give a value, and the least and the greatest, whichever is first.
fn limited<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, (i64, i64))> {
    let outer_and_inner = |outer: &str, inner: &str| {
        let [within, last] = operands(value, outer)?;
        let [inside, first] = operands(within, inner)?;
        Some((inside, integer(first)?, integer(last)?))
    };
    let found = outer_and_inner(arith::MINSI, arith::MAXSI);
    let turned = || outer_and_inner(arith::MAXSI, arith::MINSI).map(|(inside, most, least)| (inside, least, most));
    let (inside, least, most) = found.or_else(turned)?;
    (least <= most).then_some((inside, (least, most)))
}

/// A value without limits that it does not reach.
fn unlimited<'c: 'a, 'a>(value: Value<'c, 'a>, ranges: &Ranges) -> Value<'c, 'a> {
    match limited(value) {
        Some((inside, (least, most))) if ranges.get(inside).is_in(least as f64, most as f64) => inside,
        _ => value,
    }
}

/// Whether a value is half of what a shift divides by.
fn is_half(value: Value<'_, '_>, by: Value<'_, '_>) -> bool {
    if let Some((half, shift @ 1..=62)) = integer(value).zip(integer(by)) {
        return half == 1 << (shift - 1);
    }
    let found = || {
        let [one, before] = operands(value, arith::SHLI)?;
        let [whole, less] = operands(before, arith::ADDI)?;
        Some(integer(one)? == 1 && integer(less)? == -1 && whole.key() == by.key())
    };
    found().unwrap_or(false)
}
