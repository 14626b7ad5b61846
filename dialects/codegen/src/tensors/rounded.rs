//! Integers that come from reals and become reals again, such as those of a quantized tensor: where constants limit them to what
//! f32 has exactly, they are computed as reals. Few processors have vectors of conversions to 64 bits.

use crate::Error;
use crate::views::constants::{integer, real as number};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::math;
use skriptnd_mlir::rewrite::with_rewriter;

/// Up to this magnitude limits, and what is added to them, are exact in f32.
const EXACT: i64 = 1 << 22;
/// Operations between two conversions, at most.
const MOST_STEPS: usize = 8;
/// The first real beyond 64 bits.
const BEYOND: f64 = -(i64::MIN as f64);
/// Functions whose results are integers.
const WHOLE: [&str; 3] = [math::ROUND, math::FLOOR, math::CEIL];

/// Computes as reals what of a function's integers may be. Returns how many conversions went.
pub fn stay_real<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut gone = 0;
    for conversion in operations_named(function, arith::SITOFP) {
        let Some(limited) = Limited::of(conversion) else { continue };
        let real = limited.build(&Builder::before(conversion)?)?;
        with_rewriter(conversion, |rewriter| rewriter.replace(conversion, &[real]))?;
        gone += 1;
    }
    Ok(gone)
}

/// An integer that a real became, with something added, between limits, with something added again.
struct Limited<'c, 'a> {
    real: Value<'c, 'a>,
    before: i64,
    limits: (i64, i64),
    behind: i64,
}

impl<'c: 'a, 'a> Limited<'c, 'a> {
    /// What is converted to f32, if it is that.
    fn of(conversion: OperationRef<'c, 'a>) -> Option<Self> {
        let result = conversion.result(0).ok()?.r#type();
        let mut value = conversion.operand(0).ok()?;
        let mut steps = Vec::new();
        let real = loop {
            if let Some(real) = truncated(value) {
                break real;
            }
            let definition = value.defining_operation().filter(|_| steps.len() < MOST_STEPS)?;
            steps.push((definition.full_name(), integer(definition.operand(1).ok()?)?));
            value = definition.operand(0).ok()?;
        };
        let (mut before, mut limits, mut behind) = (0, (i64::MIN, i64::MAX), None);
        for (name, by) in steps.into_iter().rev().filter(|(name, by)| (*name, *by) != (arith::ADDI, 0)) {
            match name {
                arith::ADDI if behind.is_none() && limits == (i64::MIN, i64::MAX) && before == 0 => before = by,
                arith::ADDI if behind.is_none() => behind = Some(by),
                arith::MAXSI if behind.is_none() => limits = (limits.0.max(by), limits.1.max(by)),
                arith::MINSI if behind.is_none() => limits = (limits.0.min(by), limits.1.min(by)),
                _ => return None,
            }
        }
        let behind = behind.unwrap_or(0);
        let exact = [before, limits.0, limits.1, behind].iter().all(|value| value.unsigned_abs() <= EXACT as u64);
        let fits = real.r#type() == result && result == types::f32(conversion.context());
        (exact && fits).then_some(Limited { real, before, limits, behind })
    }

    /// The same in reals. What is not a number became 0, and what is beyond 64 bits the last integer there: with more added,
    /// the one at the other end.
    fn build(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let Limited { real, before, limits: (low, high), behind } = *self;
        let constant = |value: i64| builder.real(real.r#type(), value as f64);
        let is_whole = real.defining_operation().is_some_and(|definition| WHOLE.contains(&definition.full_name()));
        let whole = if is_whole { real } else { math::trunc(builder, real)? };
        let (least, most) = (constant(low - before)?, constant(high - before)?);
        let is_low = arith::cmpf(builder, FloatPredicate::Olt, whole, least)?;
        let mut value = arith::select(builder, is_low, least, whole)?;
        let is_high = arith::cmpf(builder, FloatPredicate::Ogt, value, most)?;
        value = arith::select(builder, is_high, most, value)?;
        // Integers have no zero with a sign: also nothing is added.
        value = arith::addf(builder, value, constant(before + behind)?)?;
        if before != 0 {
            let (leaves, beyond, other) = match before > 0 {
                true => (FloatPredicate::Oge, BEYOND, low),
                false => (FloatPredicate::Ole, -BEYOND, high),
            };
            let leaves = arith::cmpf(builder, leaves, whole, builder.real(real.r#type(), beyond)?)?;
            value = arith::select(builder, leaves, constant(other + behind)?, value)?;
        }
        let is_number = arith::cmpf(builder, FloatPredicate::Oeq, whole, whole)?;
        Ok(arith::select(builder, is_number, value, constant(before.clamp(low, high) + behind)?)?)
    }
}

/// The real that became an integer of 64 bits, the nearest one where it is beyond them, 0 if it is not a number.
pub(super) fn truncated<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let (is_below, [smallest, value]) = selected(value)?;
    let (is_above, [largest, value]) = selected(value)?;
    let conversion = value.defining_operation().filter(|operation| operation.full_name() == arith::FPTOSI)?;
    let (fits, [real, zero]) = selected(conversion.operand(0).ok()?)?;
    let fits = fits.defining_operation().filter(|operation| operation.full_name() == arith::ANDI)?;
    let tests = [
        (is_below, FloatPredicate::Olt, -BEYOND),
        (is_above, FloatPredicate::Oge, BEYOND),
        (fits.operand(0).ok()?, FloatPredicate::Oge, -BEYOND),
        (fits.operand(1).ok()?, FloatPredicate::Olt, BEYOND),
    ];
    let same = tests.into_iter().all(|(test, predicate, limit)| compares(test, predicate, real, limit));
    let ends = integer(smallest) == Some(i64::MIN) && integer(largest) == Some(i64::MAX);
    (same && ends && number(zero) == Some(0.0)).then_some(real)
}

/// The condition of a selection, and what it selects from.
fn selected<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, [Value<'c, 'a>; 2])> {
    let selection = value.defining_operation().filter(|operation| operation.full_name() == arith::SELECT)?;
    let operands: Vec<_> = selection.operands().collect();
    let [condition, yes, no] = operands.try_into().ok()?;
    Some((condition, [yes, no]))
}

/// Whether a value is a comparison with a constant.
fn compares<'c: 'a, 'a>(test: Value<'c, 'a>, predicate: FloatPredicate, real: Value<'c, 'a>, limit: f64) -> bool {
    test.defining_operation().filter(|operation| operation.full_name() == arith::CMPF).is_some_and(|comparison| {
        let operands: Vec<_> = comparison.operands().collect();
        comparison.get_integer("predicate") == Some(predicate as i64)
            && matches!(operands[..], [left, right] if left.key() == real.key() && number(right) == Some(limit))
    })
}
