//! The lowest bits of integers of 64 bits that reals become, from 32 bits: few processors convert vectors of reals to 64 bits.

use crate::values::scalars::comparison;
use crate::views::constants::{integer, is_zero, real};
use crate::{Error, Target};
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::math;

/// Selections and masks around a conversion, at most.
const MOST_STEPS: usize = 8;
/// From here on, reals of 32 bits are multiples of `BYTE`.
const BEYOND: f64 = (1u64 << 31) as f64;
const BYTE: u32 = 8;
/// Of so many integers the lowest 32 bits are the same again.
const AROUND: f64 = (1u64 << 32) as f64;

/// The lowest bits of an integer of 64 bits, as many as a type has, where a real of 32 bits becomes it.
pub fn bits<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    kind: Type<'c>,
) -> Result<Option<Value<'c, 'a>>, Error> {
    let Some(width) = types::width(kind).filter(|_| types::is_integer(value.r#type(), 64)) else { return Ok(None) };
    // Where no instruction rounds vectors, a function would round element by element.
    let rounds =
        || value.defining_operation().map(|made| Target::noted(made)).is_some_and(|target| has_rounding(&target));
    if width > 32 || !becomes_integer(value, MOST_STEPS) || width > BYTE && !rounds() {
        return Ok(None);
    }
    let lowest = Lowest { builder, width };
    let word = lowest.of(value)?;
    Ok(Some(if width == 32 { word } else { arith::trunci(builder, word, kind)? }))
}

fn has_rounding(target: &Target) -> bool {
    target.has("sse4.1") || target.architecture() == "aarch64"
}

/// Whether it is a conversion of a real of 32 bits, or what is selected from such and constants.
fn becomes_integer(value: Value<'_, '_>, steps: usize) -> bool {
    let Some(made) = value.defining_operation().filter(|_| steps > 0) else { return false };
    let operand = |number: usize| made.operand(number).ok();
    let is = |number: usize| operand(number).is_some_and(|operand| becomes_integer(operand, steps - 1));
    match made.full_name() {
        arith::CONSTANT => true,
        arith::SELECT => is(1) && is(2),
        arith::ANDI => is(0) && operand(1).and_then(integer).is_some(),
        arith::FPTOSI => operand(0).is_some_and(|real| real.r#type() == types::f32(made.context())),
        _ => false,
    }
}

struct Lowest<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    /// How many bits are to be right.
    width: u32,
}

impl<'c: 'a, 'a> Lowest<'_, 'c, 'a> {
    /// A word of 32 bits whose lowest ones are those of the value.
    fn of(&self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let made = value.defining_operation().ok_or_else(|| Error::malformed("an integer that nothing makes"))?;
        let word = types::integer(self.builder.context(), 32);
        match made.full_name() {
            arith::SELECT if self.width <= BYTE && is_told_by_rest(value, self.width) => self.of(made.operand(2)?),
            arith::SELECT => {
                let (yes, no) = (self.of(made.operand(1)?)?, self.of(made.operand(2)?)?);
                Ok(arith::select(self.builder, made.operand(0)?, yes, no)?)
            }
            arith::ANDI => {
                let (left, right) = (self.of(made.operand(0)?)?, self.of(made.operand(1)?)?);
                Ok(arith::andi(self.builder, left, right)?)
            }
            arith::FPTOSI => Ok(arith::fptosi(self.builder, self.near(made.operand(0)?)?, word)?),
            _ => Ok(self.builder.integer(word, integer(value).unwrap_or(0) << 32 >> 32)?),
        }
    }

    /// A real that 32 bits have, whose integer has the same lowest bits: all steps are exact.
    fn near(&self, real: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (builder, kind) = (self.builder, real.r#type());
        let number = |value: f64| builder.real(kind, value);
        if self.width <= BYTE {
            let real = unguarded(real);
            let fits = arith::cmpf(builder, FloatPredicate::Olt, math::absf(builder, real)?, number(BEYOND)?)?;
            return Ok(arith::select(builder, fits, real, number(0.0)?)?);
        }
        let times = math::trunc(builder, arith::mulf(builder, real, number(1.0 / AROUND)?)?)?;
        let rest = arith::subf(builder, real, arith::mulf(builder, times, number(AROUND)?)?)?;
        let is_above = arith::cmpf(builder, FloatPredicate::Oge, rest, number(BEYOND)?)?;
        let is_below = arith::cmpf(builder, FloatPredicate::Olt, rest, number(-BEYOND)?)?;
        let (below, above) =
            (arith::subf(builder, rest, number(AROUND)?)?, arith::addf(builder, rest, number(AROUND)?)?);
        let rest = arith::select(builder, is_above, below, rest)?;
        Ok(arith::select(builder, is_below, above, rest)?)
    }
}

/// A real that another one is wherever it is a number of less than `BEYOND`, and that is none of those elsewhere, where the other is 0.
fn unguarded<'c: 'a, 'a>(guarded: Value<'c, 'a>) -> Value<'c, 'a> {
    let source = || {
        let made = guarded.defining_operation().filter(|made| made.full_name() == arith::SELECT)?;
        let (condition, source) = (made.operand(0).ok()?, made.operand(1).ok()?);
        (holds_near(condition, source)? && is_zero(made.operand(2).ok()?)).then_some(source)
    };
    source().unwrap_or(guarded)
}

/// Whether a condition that compares a real with numbers from `BEYOND` on holds for all that are nearer to 0, or for none.
fn holds_near<'c: 'a, 'a>(condition: Value<'c, 'a>, source: Value<'c, 'a>) -> Option<bool> {
    if let Some(both) = condition.defining_operation().filter(|made| made.full_name() == arith::ANDI) {
        let holds = |number: usize| holds_near(both.operand(number).ok()?, source);
        return Some(holds(0)? && holds(1)?);
    }
    let (predicate, left, right) = comparison(condition)?;
    let limit = real(right).filter(|limit| limit.abs() >= BEYOND && left.key() == source.key())?;
    Some(is_less(predicate) == (limit > 0.0))
}

fn is_less(predicate: FloatPredicate) -> bool {
    matches!(predicate, FloatPredicate::Olt | FloatPredicate::Ole)
}

/// Whether a selection gives an integer without lowest bits for reals that are less than all words, of which its other operand has none either.
fn is_told_by_rest(selection: Value<'_, '_>, width: u32) -> bool {
    let is_told = || {
        let made = selection.defining_operation()?;
        let condition = made.operand(0).ok()?;
        let (predicate, source, limit) = comparison(condition)?;
        let is_below = is_less(predicate) && real(limit)? <= -BEYOND;
        let lowest = integer(made.operand(1).ok()?)? & ((1 << width) - 1);
        Some(is_below && lowest == 0 && is_zero_below(made.operand(2).ok()?, source))
    };
    is_told().unwrap_or(false)
}

/// Whether an integer has no lowest bits for reals that are less than all words.
fn is_zero_below<'c: 'a, 'a>(value: Value<'c, 'a>, source: Value<'c, 'a>) -> bool {
    let is_zero = || {
        let made = value.defining_operation()?;
        match made.full_name() {
            arith::FPTOSI => Some(unguarded(made.operand(0).ok()?).key() == source.key()),
            arith::SELECT => {
                let (predicate, left, limit) = comparison(made.operand(0).ok()?)?;
                let is_above = !is_less(predicate) && left.key() == source.key() && real(limit)? >= BEYOND;
                Some(is_above && is_zero_below(made.operand(2).ok()?, source))
            }
            _ => None,
        }
    };
    is_zero().unwrap_or(false)
}
