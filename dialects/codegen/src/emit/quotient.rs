//! Quotients of many numbers by the same one: products with its reciprocal, mended by what they leave, take a fraction of
//! the time of divisions.

use crate::Error;
use skriptnd_mlir::ir::types::Width;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::math;

/// Reciprocals of numbers up to here, and from one part of it on, are as exact as numbers are.
const LARGE: f64 = 18_446_744_073_709_551_616.0;

/// The quotient of a vector of f32 and a scalar that is no constant, of which LLVM knows better ways; none for others. Where divisions are
/// no instruction, that of a scalar and a constant.
///
/// With the correctly rounded reciprocal `r` of `b`, `q = a r` is off by less than two units in the last place, `d = q b - a` is
/// exact, and `q - d r` is the rounded quotient; where that is no number, `q` is right. Both factors are scaled where the reciprocal
/// would be infinite, or below the normal numbers, and have such signs that `b` is positive: then `q - d r` is a zero of the same sign
/// where `q` is one.
pub fn quotient<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    (lanes, has_division): (Width, bool),
) -> Result<Option<Value<'c, 'a>>, Error> {
    let &[dividend, divisor] = operands else { return Ok(None) };
    let scalar = divisor.r#type();
    let is_constant = divisor.defining_operation().is_some_and(|definition| definition.full_name() == arith::CONSTANT);
    let (fits, lanes) = match dividend.r#type().is_vector() {
        true => (!is_constant, lanes),
        false => (is_constant && !has_division, Width::ONE),
    };
    if !fits || scalar != types::f32(builder.context()) {
        return Ok(None);
    }
    let factor = factor(builder, divisor)?;
    let divisor = arith::mulf(builder, divisor, factor)?;
    let reciprocal = arith::divf(builder, builder.real(scalar, 1.0)?, divisor)?;
    let all = |value| builder.broadcast(value, lanes);
    let (reciprocal, divisor) = (all(reciprocal)?, all(divisor)?);
    let dividend = arith::mulf(builder, dividend, all(factor)?)?;
    let near = arith::mulf(builder, dividend, reciprocal)?;
    let beyond = math::fma(builder, divisor, near, arith::negf(builder, dividend)?)?;
    let quotient = math::fma(builder, arith::negf(builder, beyond)?, reciprocal, near)?;
    let is_none = arith::cmpf(builder, FloatPredicate::Uno, quotient, quotient)?;
    Ok(Some(arith::select(builder, is_none, near, quotient)?))
}

/// The power of two that brings a number among those with exact reciprocals, with the sign of the number.
fn factor<'c: 'a, 'a>(builder: &Builder<'c, 'a>, divisor: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let real = |value| builder.real(divisor.r#type(), value);
    let size = math::absf(builder, divisor)?;
    let is_small = arith::cmpf(builder, FloatPredicate::Olt, size, real(1.0 / LARGE)?)?;
    let is_large = arith::cmpf(builder, FloatPredicate::Ogt, size, real(LARGE)?)?;
    let factor = arith::select(builder, is_large, real(1.0 / LARGE)?, real(1.0)?)?;
    let factor = arith::select(builder, is_small, real(LARGE)?, factor)?;
    Ok(math::copysign(builder, factor, divisor)?)
}
