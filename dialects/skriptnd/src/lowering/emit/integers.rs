//! Division and power of integers, and conversions to them, exactly as `skriptnd_language::arithmetic` defines them:
//! what has no mathematical result of 64 bits wraps around or saturates. None of it is undefined behaviour for LLVM,
//! whatever the operands are: bodies are computed for elements whose value is not used, too.

use super::arithmetic::{binary, boolean, compare, negation, select};
use crate::builder::Builder;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationExt, Value, types};
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
    let (int, i64) = (ScalarType::Int, types::integer(builder.context(), 64));
    let zero = builder.integer(0)?;
    let divisor = divisor(builder, b, range)?;
    let remainder = builder.value("arith.remsi", &[a, divisor], &[], i64)?;
    let is_inexact = binary(builder, BinaryOp::Ne, int, remainder, zero)?;
    let remainder_is_negative = binary(builder, BinaryOp::Lt, int, remainder, zero)?;
    let divisor_is_negative = binary(builder, BinaryOp::Lt, int, divisor, zero)?;
    // The exact quotient is below the truncated one if remainder and divisor differ in sign.
    let is_below = boolean(builder, BinaryOp::Xor, remainder_is_negative, divisor_is_negative)?;
    let rounds = if op == BinaryOp::CeilDiv { negation(builder, is_below)? } else { is_below };
    let adjusts = boolean(builder, BinaryOp::And, is_inexact, rounds)?;
    if op == BinaryOp::Mod {
        let adjusted = builder.value("arith.addi", &[remainder, divisor], &[], i64)?;
        return select(builder, adjusts, adjusted, remainder, int);
    }
    let quotient = builder.value("arith.divsi", &[a, divisor], &[], i64)?;
    let step = builder.value("arith.extui", &[adjusts], &[], i64)?;
    let name = if op == BinaryOp::CeilDiv { "arith.addi" } else { "arith.subi" };
    let rounded = builder.value(name, &[quotient, step], &[], i64)?;
    if !may_be(range, -1) {
        return Ok(rounded);
    }
    let opposite = builder.value("arith.subi", &[zero, a], &[], i64)?;
    let is_opposite = compare(builder, 0, int, b, builder.integer(-1)?)?;
    select(builder, is_opposite, opposite, rounded, int)
}

/// A divisor that LLVM can divide anything by: 1 in place of 0, and in place of -1, which the smallest integer can't be
/// divided by. The remainder is 0 for both.
fn divisor<'c: 'a, 'a>(builder: &Builder<'c, 'a>, b: Value<'c, 'a>, range: Range) -> Result<Value<'c, 'a>, Failure> {
    let int = ScalarType::Int;
    let is_refused = match (may_be(range, 0), may_be(range, -1)) {
        (false, false) => return Ok(b),
        (true, false) => compare(builder, 0, int, b, builder.integer(0)?)?,
        (false, true) => compare(builder, 0, int, b, builder.integer(-1)?)?,
        (true, true) => {
            let i64 = types::integer(builder.context(), 64);
            let next = builder.value("arith.addi", &[b, builder.integer(1)?], &[], i64)?;
            // Unsigned: 0 and 1 are below 2, all others are not.
            compare(builder, 6, int, next, builder.integer(2)?)?
        }
    };
    select(builder, is_refused, builder.integer(1)?, b, int)
}

/// Division of integers that are not negative by positive ones, where all ways of rounding down are one.
pub fn divide_unsigned<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let name = if op == BinaryOp::Mod { "arith.remui" } else { "arith.divui" };
    builder.value(name, &[a, b], &[], types::integer(builder.context(), 64))
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
    let int = ScalarType::Int;
    let [zero, one, minus_one] = [builder.integer(0)?, builder.integer(1)?, builder.integer(-1)?];
    let is_odd = is_odd(builder, b)?;
    let of_minus_one = select(builder, is_odd, minus_one, one, int)?;
    let is_minus_one = compare(builder, 0, int, a, minus_one)?;
    let is_one = compare(builder, 0, int, a, one)?;
    let rounded = select(builder, is_minus_one, of_minus_one, zero, int)?;
    let rounded = select(builder, is_one, one, rounded, int)?;
    let is_negative = binary(builder, BinaryOp::Lt, int, b, zero)?;
    select(builder, is_negative, rounded, power, int)
}

fn unrolled_power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Value<'c, 'a>,
    exponent: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let times = |x, y| builder.value("arith.muli", &[x, y], &[], types::integer(builder.context(), 64));
    let (mut power, mut square) = (None, a);
    for bit in 0..i64::BITS - exponent.leading_zeros() {
        if bit > 0 {
            square = times(square, square)?;
        }
        if exponent >> bit & 1 == 1 {
            power = Some(power.map_or(Ok(square), |power| times(power, square))?);
        }
    }
    power.map_or_else(|| builder.integer(1), Ok)
}

/// 1 for exponents that are not positive.
fn repeated_power<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let int = ScalarType::Int;
    let i64 = types::integer(builder.context(), 64);
    let state = [builder.integer(1)?, a, b];
    let before = builder.region(&[i64; 3], |inner, state| {
        let [_, _, exponent] = state.as_slice() else { return Err("a power without state".into()) };
        let goes_on = binary(&inner, BinaryOp::Gt, int, *exponent, inner.integer(0)?)?;
        let mut operands = vec![goes_on];
        operands.extend(&state);
        inner.operation("scf.condition", &operands, &[], &[]).map(drop)
    })?;
    let after = builder.region(&[i64; 3], |inner, state| {
        let [power, square, exponent] = *state.as_slice() else { return Err("a power without state".into()) };
        let apply = |name: &str, x, y| inner.value(name, &[x, y], &[], i64);
        let larger = apply("arith.muli", power, square)?;
        let power = select(&inner, is_odd(&inner, exponent)?, larger, power, int)?;
        let next = [power, apply("arith.muli", square, square)?, apply("arith.shrsi", exponent, inner.integer(1)?)?];
        inner.operation("scf.yield", &next, &[], &[]).map(drop)
    })?;
    let repeated = builder.with_regions("scf.while", &state, &[], &[i64; 3], vec![before, after])?;
    repeated.result_values().first().copied().ok_or_else(|| "a loop without results".into())
}

fn is_odd<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("arith.trunci", &[value], &[], types::integer(builder.context(), 1))
}

/// A real towards zero. What is beyond 64 bits becomes the nearest integer, not a number becomes 0.
pub fn truncated<'c: 'a, 'a>(builder: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let real = ScalarType::Real;
    let limit = -(i64::MIN as f64);
    let (low, high) = (builder.real(-limit)?, builder.real(limit)?);
    let is_above = binary(builder, BinaryOp::Ge, real, x, high)?;
    let is_not_below = binary(builder, BinaryOp::Ge, real, x, low)?;
    let is_below_limit = binary(builder, BinaryOp::Lt, real, x, high)?;
    let fits = boolean(builder, BinaryOp::And, is_not_below, is_below_limit)?;
    let convertible = select(builder, fits, x, builder.real(0.0)?, real)?;
    let whole = builder.value("arith.fptosi", &[convertible], &[], types::integer(builder.context(), 64))?;
    let is_below = binary(builder, BinaryOp::Lt, real, x, low)?;
    let whole = select(builder, is_above, builder.integer(i64::MAX)?, whole, ScalarType::Int)?;
    select(builder, is_below, builder.integer(i64::MIN)?, whole, ScalarType::Int)
}
