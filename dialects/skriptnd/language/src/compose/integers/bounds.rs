//! What is known not to leave 32 bits, where integers are computed with only then.

use super::constants::is_positive;
use super::known::DEQUANTIZING;
use super::rules::{Rounding, Rules, Scaled, is_word};
use crate::compose::definitions::Integers;
use crate::compose::graph::{OperationKind, Origin, TensorId};
use crate::compose::value::Value;

/// The greatest magnitude of what is multiplied: that of 16 bits less others.
const MOST: i64 = 1 << 16;
/// The greatest magnitude of sums of products: a bias has as much room at least.
const MOST_SUM: i64 = 1 << 30;

impl Rules<'_, '_> {
    /// The greatest magnitude of sums of so many products of two tensors, if that is known to be half of what 32 bits have at most.
    pub(super) fn sum_of_products(&self, factors: [&Scaled; 2], terms: i64) -> Option<i64> {
        let [left, right] = factors.map(|factor| self.magnitude(factor));
        left?.checked_mul(right?)?.checked_mul(terms).filter(|sum| *sum <= MOST_SUM)
    }

    /// Whether sums of so many elements of a tensor stay within 32 bits.
    pub(super) fn fits(&self, x: &Scaled, terms: i64) -> bool {
        let sum = || self.magnitude(x)?.checked_mul(terms);
        self.is_everywhere() || sum().is_some_and(|sum| sum <= MOST_SUM)
    }

    /// Whether integers are computed with however large sums may be.
    pub(super) fn is_everywhere(&self) -> bool {
        self.integers == Integers::Everywhere
    }

    /// Whether so many steps of sums are known to be enough for each bias that is not beyond the limits of results: those that were integers
    /// have as many bits themselves.
    pub(super) fn has_room(&self, bias: TensorId, (step, most): (TensorId, i64), to: &Rounding) -> bool {
        let is_dequantized = || {
            let made = self.made.get(&bias).map(|operation| &operation.kind);
            matches!(made, Some(OperationKind::Operator(call)) if DEQUANTIZING.contains(&&*call.operator))
        };
        let is_enough = || {
            let (steps, scale) = (self.editor.reals(step)?, self.editor.reals(to.scale)?);
            let beyond = scale.first()? * (to.limits.1 - to.limits.0) as f32;
            Some(steps.iter().all(|step| is_positive(step) && beyond / step <= most as f32))
        };
        is_dequantized() || is_enough().unwrap_or(false)
    }

    /// Between which numbers integers are known to lie.
    pub(super) fn range(&self, whole: TensorId) -> Option<(i64, i64)> {
        let of_constant = || around_all(self.editor.constant(whole)?);
        let range = self.limits.get(&whole).copied().or_else(of_constant);
        range.filter(|(least, most)| is_word(*least) && is_word(*most))
    }

    /// The greatest magnitude of integers less what stands for 0, if they have 16 bits at most. Variables that are dequantized are taken for
    /// bytes: what others have, quantized networks store in no weights.
    fn magnitude(&self, x: &Scaled) -> Option<i64> {
        let is_variable = || matches!(self.editor.graph.tensor(x.whole).origin, Origin::Variable { .. });
        let (least, most) = self.range(x.whole).or_else(|| is_variable().then_some((-128, 127)))?;
        let magnitude = match x.zero.map(|zero| self.editor.number(zero)) {
            None => least.abs().max(most.abs()),
            Some(Some(zero)) if is_word(zero as i64) => (least - zero as i64).abs().max((most - zero as i64).abs()),
            Some(Some(_)) => return None,
            Some(None) => most - least,
        };
        Some(magnitude).filter(|magnitude| *magnitude <= MOST)
    }
}

/// The least and the greatest integer of a constant.
fn around_all(value: &Value) -> Option<(i64, i64)> {
    match value {
        Value::Int(value) => Some((*value, *value)),
        Value::Repeat(item, _) => around_all(item),
        Value::Pack(items) => {
            let mut ranges = items.iter().map(around_all);
            let first = ranges.next()??;
            ranges.try_fold(first, |all, own| own.map(|own| (all.0.min(own.0), all.1.max(own.1))))
        }
        _ => None,
    }
}
