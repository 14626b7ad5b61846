//! Scales that are known when composed: what is computed of them is, too, as the operators compute it, in reals of 32 bits.

use crate::compose::edit::Editor;
use crate::compose::graph::{Argument, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Vectors of more elements are computed by operators.
const MOST_ELEMENTS: i64 = 64;
/// What multipliers stay below.
const MOST: f32 = 2_147_483_648.0;
/// How often a factor is doubled at most (`stdlib/quantized.sknd`).
const MOST_DOUBLINGS: i32 = 61;

/// What is computed of two scales.
#[derive(Clone, Copy)]
pub(super) enum Of {
    Product,
    Quotient,
}

impl Editor<'_> {
    /// The product or the quotient of two vectors of scales, of which one may have one element.
    pub(super) fn scales(&mut self, of: Of, [left, right]: [TensorId; 2]) -> Option<TensorId> {
        let Some((one, other)) = self.reals(left).zip(self.reals(right)) else {
            let operator = match of {
                Of::Product => "math.mul",
                Of::Quotient => "math.div",
            };
            return self.call(operator, vec![], &[left, right]);
        };
        let at = |values: &[f32], index: usize| values.get(index).or(values.first()).copied();
        let computed = (0..one.len().max(other.len())).map(|index| {
            let (left, right) = (at(&one, index)?, at(&other, index)?);
            Some(match of {
                Of::Product => left * right,
                Of::Quotient => left / right,
            })
        });
        let computed: Vec<Value> = computed.map(|value| Some(Value::Real(value?.into()))).collect::<Option<_>>()?;
        self.vector_of(ScalarType::Real, computed)
    }

    /// Two vectors, one behind the other.
    pub(super) fn both(&mut self, [left, right]: [TensorId; 2]) -> Option<TensorId> {
        if let Some((one, other)) = self.items(left).zip(self.items(right)) {
            return self.vector_of(self.ty(left).dtype, [one, other].concat());
        }
        let inputs = vec![Argument::Pack(vec![left, right])];
        let attributes = vec![("axis", Value::Int(0))];
        crate::compose::edit::single(&self.invoke(crate::compose::edit::Invocation {
            operator: "layout.concat",
            attributes,
            inputs,
        })?)
    }

    /// What `quantized.multiplier` gives for factors that are known: multipliers and shift.
    pub(super) fn multipliers_of(&mut self, factor: TensorId) -> Option<(TensorId, TensorId)> {
        let factors = self.reals(factor)?;
        let (multipliers, shift) = multipliers(&factors)?;
        let multipliers = self.vector_of(ScalarType::Int, multipliers.into_iter().map(Value::Int).collect())?;
        Some((multipliers, self.known(ScalarType::Int, &[], Value::Int(shift))?))
    }

    fn vector_of(&mut self, dtype: ScalarType, items: Vec<Value>) -> Option<TensorId> {
        let count = i64::try_from(items.len()).ok()?;
        self.known(dtype, &[count], Value::Pack(items))
    }

    /// The elements of a constant vector, if they are few.
    fn items(&self, id: TensorId) -> Option<Vec<Value>> {
        let count = self.volume(id).filter(|count| (1..=MOST_ELEMENTS).contains(count))?;
        match self.constant(id)? {
            Value::Pack(items) => Some(items.clone()).filter(|items| items.len() as i64 == count),
            Value::Repeat(item, _) => Some(vec![(**item).clone(); usize::try_from(count).ok()?]),
            value => Some(vec![value.clone(); usize::try_from(count).ok()?]),
        }
    }

    /// The same, where all are reals.
    pub(super) fn reals(&self, id: TensorId) -> Option<Vec<f32>> {
        let real = |value: &Value| match value {
            Value::Real(value) => Some(*value as f32),
            _ => None,
        };
        self.items(id)?.iter().map(real).collect()
    }
}

/// Whether a scale is one.
pub(super) fn is_positive(scale: &f32) -> bool {
    scale.is_finite() && *scale > 0.0
}

/// Multipliers of 31 bits at most, and the shift behind them; none where a factor is no positive number.
fn multipliers(factors: &[f32]) -> Option<(Vec<i64>, i64)> {
    let greatest = factors.iter().copied().filter(is_positive).reduce(f32::max)?;
    let power = |exponent: i32| 2f32.powi(exponent);
    let shift = (0..MOST_DOUBLINGS).filter(|doubled| greatest * power(doubled + 1) < MOST).count();
    let doublings = i32::try_from(shift).ok()?.clamp(1, MOST_DOUBLINGS);
    let multiplier = |factor: &f32| ((factor * power(doublings)).round() as i64).clamp(0, i64::from(i32::MAX));
    let multipliers = factors.iter().map(multiplier).collect();
    factors.iter().all(is_positive).then_some((multipliers, shift as i64))
}

#[cfg(test)]
mod tests {
    use super::multipliers;

    #[test]
    fn the_greatest_multiplier_has_31_bits() {
        let half = 1 << 30;
        assert_eq!(multipliers(&[0.5]), Some((vec![half], 31)));
        assert_eq!(multipliers(&[0.75, 0.25]), Some((vec![3 << 29, 1 << 29], 31)));
        assert_eq!(multipliers(&[1.0]), Some((vec![half], 30)));
        // 0.1 as a real of 32 bits is 13421773 / 2^27.
        assert_eq!(multipliers(&[0.1]), Some((vec![13421773 << 7], 34)));
        assert_eq!(multipliers(&[2f32.powi(-60)]), Some((vec![2], 61)));
        assert_eq!(multipliers(&[3e9, 1.0]), Some((vec![i64::from(i32::MAX), 2], 0)));
        assert_eq!((multipliers(&[0.0]), multipliers(&[f32::NAN, 1.0])), (None, None));
    }
}
