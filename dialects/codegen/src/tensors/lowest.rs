//! The lowest bits of integers of 64 bits that reals become, from 32 bits: few processors convert vectors of reals to 64 bits.

use crate::views::constants::integer;
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
