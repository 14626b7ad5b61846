//! What is known not to leave 32 bits, where integers are computed with only then.

use super::constants::is_positive;
use super::known::DEQUANTIZING;
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::definitions::Integers;
use crate::compose::graph::{OperationKind, Origin, TensorId};

/// The greatest magnitude of what is multiplied: that of a byte less another.
const MOST: i64 = 512;
/// The greatest magnitude of sums of products: a bias has as much room.
const MOST_SUM: i64 = 1 << 30;
/// The least part of a step of results that a step of sums is: with 8 bits of results, a bias that is no limit then has 30 bits of steps.
const LEAST_PART: f32 = 1.0 / (1 << 22) as f32;

impl Rules<'_, '_> {
    /// Whether sums of so many products of two tensors stay within 32 bits.
    pub(super) fn fits(&self, factors: [&Scaled; 2], terms: i64) -> bool {
        self.integers == Integers::Everywhere || {
            let magnitudes = factors.map(|factor| self.magnitude(factor));
            let sum = |[left, right]: [i64; 2]| left.checked_mul(right)?.checked_mul(terms);
            let known = magnitudes[0].zip(magnitudes[1]).map(|(left, right)| [left, right]);
            known.and_then(sum).is_some_and(|sum| sum <= MOST_SUM)
        }
    }

    /// The same of sums of a tensor's elements.
    pub(super) fn fits_alone(&self, x: &Scaled, terms: i64) -> bool {
        let sum = || self.magnitude(x)?.checked_mul(terms);
        self.integers == Integers::Everywhere || sum().is_some_and(|sum| sum <= MOST_SUM)
    }

    /// Whether a bias has so few steps of sums that it can be added to them: integers that were dequantized have, and what leads to a limit
    /// of the results with more.
    pub(super) fn fits_bias(&self, bias: TensorId, step: TensorId, to: &Rounding) -> bool {
        let is_dequantized = || {
            let made = self.made.get(&bias).map(|operation| &operation.kind);
            matches!(made, Some(OperationKind::Operator(call)) if DEQUANTIZING.contains(&&*call.operator))
        };
        let is_part = || {
            let (steps, scale) = (self.editor.reals(step)?, self.editor.reals(to.scale)?);
            let scale = *scale.first()?;
            Some(steps.iter().all(|step| is_positive(step) && step / scale >= LEAST_PART))
        };
        self.integers == Integers::Everywhere || is_dequantized() || is_part().unwrap_or(false)
    }

    /// The greatest magnitude of integers less what stands for 0, if they are those of bytes. Variables that are dequantized are taken for
    /// bytes: what others have, quantized networks store in no weights.
    fn magnitude(&self, x: &Scaled) -> Option<i64> {
        let is_fixed =
            || matches!(self.editor.graph.tensor(x.whole).origin, Origin::Variable { .. } | Origin::Constant(_));
        let (least, most) = self.limits.get(&x.whole).copied().or_else(|| is_fixed().then_some((-128, 127)))?;
        let magnitude = match x.zero.map(|zero| self.editor.number(zero)) {
            None => least.abs().max(most.abs()),
            Some(Some(zero)) => (least - zero as i64).abs().max((most - zero as i64).abs()),
            Some(None) => most - least,
        };
        Some(magnitude).filter(|magnitude| *magnitude <= MOST)
    }
}
