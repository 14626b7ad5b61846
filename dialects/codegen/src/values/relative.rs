//! Reals that are limited by their distance to a whole number which only a run knows, and have it added: quantized values with a zero
//! of their own, `round(x >> least - zero << most - zero) + zero`.

use super::range::{Range, Ranges};
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::{arith, math};

/// Operations between the sum and the limits, at most.
const MOST_STEPS: usize = 6;
/// Whole numbers of 32 bits up to this magnitude are exact.
const EXACT: f64 = (1u64 << 24) as f64;
/// So great are limits, and what they are told from, at most.
const MOST: f64 = (1u64 << 21) as f64;

/// The least and the greatest number.
type Limits = (f64, f64);

const NONE: Limits = (f64::NEG_INFINITY, f64::INFINITY);

/// A range of the sum of two reals, within what limits say where one is limited by what the other lacks.
pub(super) fn limited<'c: 'a, 'a>(ranges: &Ranges, [left, right]: [Value<'c, 'a>; 2], range: Range) -> Range {
    [(left, right), (right, left)].into_iter().fold(range, |range, (value, to)| {
        let known = ranges.get(to);
        let is_exact = known.is_whole && known.is_number && known.magnitude() <= MOST;
        let (least, most) = if is_exact { of_sum(ranges, value, to, MOST_STEPS) } else { NONE };
        Range { least: range.least.max(least), most: range.most.min(most), ..range }
    })
}

/// Between which whole numbers `value + to` lies.
fn of_sum<'c: 'a, 'a>(ranges: &Ranges, value: Value<'c, 'a>, to: Value<'c, 'a>, steps: usize) -> Limits {
    let Some(made) = value.defining_operation().filter(|_| steps > 0) else { return NONE };
    let operands: Vec<_> = made.operands().collect();
    let limits = |operand: Value<'c, 'a>| of_sum(ranges, operand, to, steps - 1);
    match (made.full_name(), operands.as_slice()) {
        (arith::SUBF, [from, other]) if other.key() == to.key() => {
            let from = ranges.get(*from);
            let is_exact = from.is_whole && from.is_number && from.magnitude() <= MOST;
            if is_exact { (from.least, from.most) } else { NONE }
        }
        (arith::MAXIMUMF, [left, right]) => {
            let (left, right) = (limits(*left), limits(*right));
            (left.0.max(right.0), left.1.max(right.1))
        }
        (arith::MINIMUMF, [left, right]) => {
            let (left, right) = (limits(*left), limits(*right));
            (left.0.min(right.0), left.1.min(right.1))
        }
        // Rounding is monotone, and leaves whole numbers as they are.
        (math::ROUND | math::FLOOR | math::CEIL | math::TRUNC, [value]) => limits(*value),
        (arith::SUBF, [far, offset]) => rounded(ranges, (*far, *offset)).map_or(NONE, limits),
        _ => NONE,
    }
}

/// What `value + offset - offset` rounds, where limits stay as they are.
fn rounded<'c: 'a, 'a>(ranges: &Ranges, (far, offset): (Value<'c, 'a>, Value<'c, 'a>)) -> Option<Value<'c, 'a>> {
    let sum = far.defining_operation().filter(|sum| sum.full_name() == arith::ADDF)?;
    let (value, added) = (sum.operand(0).ok()?, ranges.get(sum.operand(1).ok()?));
    let is_same = added == ranges.get(offset) && added.least == added.most && added.is_whole;
    (is_same && added.magnitude() + 2.0 * MOST <= EXACT).then_some(value)
}
