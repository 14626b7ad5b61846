//! Division and power of integers, and conversions to them, exactly as `skriptnd_language::arithmetic` defines them:
//! what has no mathematical result of 64 bits wraps around or saturates. None of it is undefined behaviour for LLVM,
//! whatever the operands are: bodies are computed for elements whose value is not used, too.

use super::truth::{boolean, negation};
use crate::scalars::Scalars as _;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::scf;
use skriptnd_syntax::ast::BinaryOp;

/// The largest constant exponent of a power that is written as multiplications.
const UNROLLED_POWER: i64 = 64;

/// Between which values an operand lies, inclusive.
pub type Range = (i64, i64);

/// Nothing is known of an operand.
pub const ANY: Range = (i64::MIN, i64::MAX);

fn may_be((low, high): Range, value: i64) -> bool {
    low <= value && value <= high
}

/// `/`, `\` or `%`, where the divisor lies in a range. What a division by 0 gives does not matter.
pub fn divide<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    range: Range,
) -> Result<Value<'c, 'a>, Failure> {
    if range.0 == range.1 && range.0.count_ones() == 1 && range.0 > 0 {
        return divide_by_power(builder, op, a, range.0);
    }
    let i64 = types::integer(builder.context(), 64);
    let zero = builder.int(0)?;
    let divisor = divisor(builder, b, range)?;
    let remainder = arith::remsi(builder, a, divisor)?;
    let is_inexact = arith::cmpi(builder, IntegerPredicate::Ne, remainder, zero)?;
    let remainder_is_negative = arith::cmpi(builder, IntegerPredicate::Slt, remainder, zero)?;
    let divisor_is_negative = arith::cmpi(builder, IntegerPredicate::Slt, divisor, zero)?;
    // The exact quotient is below the truncated one if remainder and divisor differ in sign.
    let is_below = boolean(builder, BinaryOp::Xor, remainder_is_negative, divisor_is_negative)?;
    let rounds = if op == BinaryOp::CeilDiv { negation(builder, is_below)? } else { is_below };
    let adjusts = boolean(builder, BinaryOp::And, is_inexact, rounds)?;
    if op == BinaryOp::Mod {
        let adjusted = arith::addi(builder, remainder, divisor)?;
        return arith::select(builder, adjusts, adjusted, remainder);
    }
    let quotient = arith::divsi(builder, a, divisor)?;
    let step = arith::extui(builder, adjusts, i64)?;
    let rounded = match op {
        BinaryOp::CeilDiv => arith::addi(builder, quotient, step)?,
        _ => arith::subi(builder, quotient, step)?,
    };
    if !may_be(range, -1) {
        return Ok(rounded);
    }
    let opposite = arith::subi(builder, zero, a)?;
    let is_opposite = arith::cmpi(builder, IntegerPredicate::Eq, b, builder.int(-1)?)?;
    arith::select(builder, is_opposite, opposite, rounded)
}

/// The same where the divisor is a power of 2: bits of two's complement.
fn divide_by_power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    divisor: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let remainder = || arith::andi(builder, a, builder.int(divisor - 1)?);
    let quotient = || arith::shrsi(builder, a, builder.int(i64::from(divisor.trailing_zeros()))?);
    match op {
        BinaryOp::Mod => remainder(),
        BinaryOp::CeilDiv => {
            let is_inexact = arith::cmpi(builder, IntegerPredicate::Ne, remainder()?, builder.int(0)?)?;
            let step = arith::extui(builder, is_inexact, types::integer(builder.context(), 64))?;
            arith::addi(builder, quotient()?, step)
        }
        _ => quotient(),
    }
}

/// A divisor that LLVM can divide anything by: 1 in place of 0, and in place of -1, which the smallest integer can't be
/// divided by. The remainder is 0 for both.
fn divisor<'c: 'a, 'a>(builder: &Builder<'c, 'a>, b: Value<'c, 'a>, range: Range) -> Result<Value<'c, 'a>, Failure> {
    let equals = |value| arith::cmpi(builder, IntegerPredicate::Eq, b, builder.int(value)?);
    let is_refused = match (may_be(range, 0), may_be(range, -1)) {
        (false, false) => return Ok(b),
        (true, false) => equals(0)?,
        (false, true) => equals(-1)?,
        (true, true) => {
            let next = arith::addi(builder, b, builder.int(1)?)?;
            // Unsigned: 0 and 1 are below 2, all others are not.
            arith::cmpi(builder, IntegerPredicate::Ult, next, builder.int(2)?)?
        }
    };
    arith::select(builder, is_refused, builder.int(1)?, b)
}

/// Exponents of 2 whose power is a positive integer.
pub const EXPONENTS: std::ops::RangeInclusive<i64> = 0..=62;

/// Division of integers that are not negative by positive ones, where all ways of rounding down are one.
pub fn divide_unsigned<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    match op {
        BinaryOp::Mod => arith::remui(builder, a, b),
        _ => arith::divui(builder, a, b),
    }
}

/// Two to the power of one of [`EXPONENTS`].
pub fn power_of_two<'c: 'a, 'a>(builder: &Builder<'c, 'a>, exponent: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::shli(builder, builder.int(1)?, exponent)
}

/// `a ** b` by squaring, where the exponent lies in a range.
pub fn power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    range: Range,
) -> Result<Value<'c, 'a>, Failure> {
    let power = match range {
        (exponent @ 0..=UNROLLED_POWER, same) if exponent == same => return unrolled_power(builder, a, exponent),
        _ => repeated_power(builder, a, b)?,
    };
    if range.0 >= 0 {
        return Ok(power);
    }
    // The powers of 1 and -1 are integers; all others are rounded towards zero. Those of 0 are not defined.
    let [zero, one, minus_one] = [builder.int(0)?, builder.int(1)?, builder.int(-1)?];
    let is_odd = is_odd(builder, b)?;
    let of_minus_one = arith::select(builder, is_odd, minus_one, one)?;
    let is_minus_one = arith::cmpi(builder, IntegerPredicate::Eq, a, minus_one)?;
    let is_one = arith::cmpi(builder, IntegerPredicate::Eq, a, one)?;
    let rounded = arith::select(builder, is_minus_one, of_minus_one, zero)?;
    let rounded = arith::select(builder, is_one, one, rounded)?;
    let is_negative = arith::cmpi(builder, IntegerPredicate::Slt, b, zero)?;
    arith::select(builder, is_negative, rounded, power)
}

fn unrolled_power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Value<'c, 'a>,
    exponent: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let times = |x, y| arith::muli(builder, x, y);
    let (mut power, mut square) = (None, a);
    for bit in 0..i64::BITS - exponent.leading_zeros() {
        if bit > 0 {
            square = times(square, square)?;
        }
        if exponent >> bit & 1 == 1 {
            power = Some(power.map_or(Ok(square), |power| times(power, square))?);
        }
    }
    power.map_or_else(|| builder.int(1), Ok)
}

/// 1 for exponents that are not positive.
fn repeated_power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let repeated = scf::r#while(builder, &[builder.int(1)?, a, b])?;
    let (test, body) = (repeated.before, repeated.after);
    let [_, _, exponent] = repeated.tested[..] else { return Err("a power without state".into()) };
    let goes_on = arith::cmpi(&test, IntegerPredicate::Sgt, exponent, test.int(0)?)?;
    scf::condition(&test, goes_on, &repeated.tested)?;
    let [power, square, exponent] = repeated.state[..] else { return Err("a power without state".into()) };
    let larger = arith::muli(&body, power, square)?;
    let power = arith::select(&body, is_odd(&body, exponent)?, larger, power)?;
    let square = arith::muli(&body, square, square)?;
    scf::r#yield(&body, &[power, square, arith::shrsi(&body, exponent, body.int(1)?)?])?;
    repeated.operation.result(0)
}

fn is_odd<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::trunci(builder, value, types::integer(builder.context(), 1))
}

/// A real towards zero. What is beyond 64 bits becomes the nearest integer, not a number becomes 0.
pub fn truncated<'c: 'a, 'a>(builder: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let limit = -(i64::MIN as f64);
    let real = |value| builder.real(x.r#type(), value);
    let (low, high) = (real(-limit)?, real(limit)?);
    let is_above = arith::cmpf(builder, FloatPredicate::Oge, x, high)?;
    let is_not_below = arith::cmpf(builder, FloatPredicate::Oge, x, low)?;
    let is_below_limit = arith::cmpf(builder, FloatPredicate::Olt, x, high)?;
    let fits = boolean(builder, BinaryOp::And, is_not_below, is_below_limit)?;
    let convertible = arith::select(builder, fits, x, real(0.0)?)?;
    let whole = arith::fptosi(builder, convertible, types::integer(builder.context(), 64))?;
    let is_below = arith::cmpf(builder, FloatPredicate::Olt, x, low)?;
    let whole = arith::select(builder, is_above, builder.int(i64::MAX)?, whole)?;
    arith::select(builder, is_below, builder.int(i64::MIN)?, whole)
}
