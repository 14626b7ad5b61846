//! Quantized tensors, and what stands for 0 in them.

use super::constants::is_positive;
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::definitions::Integers;
use crate::compose::edit::{Invocation, single};
use crate::compose::graph::{Argument, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

impl Rules<'_, '_> {
    /// A tensor of quantized reals, whose elements may have been moved since.
    pub(super) fn scaled(&mut self, id: TensorId) -> Option<Scaled> {
        let id = *self.replaced.get(&id).unwrap_or(&id);
        if let Some(known) = self.scaled.get(&id) {
            return Some(*known);
        }
        self.moved_alike(id).or_else(|| self.attempt(|rules| rules.moved_by_channel(id)))
    }

    /// Whether a tensor has this scale and this zero.
    pub(super) fn agree(&self, scaled: &Scaled, scale: TensorId, zero: Option<TensorId>) -> bool {
        let is_zero = |id: Option<TensorId>| id.is_none_or(|id| self.editor.number(id) == Some(0.0));
        let same_zero = match (scaled.zero, zero) {
            (Some(left), Some(right)) => self.editor.is_same(left, right),
            (left, right) => is_zero(left) && is_zero(right),
        };
        same_zero && self.editor.is_same(scaled.scale, scale)
    }

    /// The same operator on integers.
    pub(super) fn all_again(&mut self, call: &OperatorCall, inputs: Vec<Argument>) -> Option<Vec<Argument>> {
        let attributes = call.attributes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        self.editor.invoke(Invocation { operator: &call.operator, attributes, inputs })
    }

    /// The same operator on integers, of which there is one result.
    pub(super) fn again(&mut self, call: &OperatorCall, inputs: Vec<Argument>) -> Option<TensorId> {
        single(&self.all_again(call, inputs)?)
    }

    /// Quantized values for another scale and zero.
    pub(super) fn rescaled(&mut self, from: &Scaled, to: &Rounding) -> Option<TensorId> {
        if from.axis.is_some() {
            return None;
        }
        if self.agree(from, to.scale, to.zero) && self.has_steps(to) {
            return self.limited_to(from.whole, to.limits);
        }
        let is_known = self.integers == Integers::Everywhere || self.range(from.whole).is_some();
        let centered = self.centered(from).filter(|_| is_known)?;
        let scale = self.editor.vector(from.scale)?;
        let factor = self.by_scale(scale, to)?;
        self.requantized(centered, factor, 0, to)
    }

    /// Integers, which may be others than those of a result.
    fn limited_to(&mut self, whole: TensorId, (least, most): (i64, i64)) -> Option<TensorId> {
        let known = self.range(whole);
        let is_beyond = |is: fn(&(i64, i64), (i64, i64)) -> bool| known.is_none_or(|known| is(&known, (least, most)));
        let mut limited = whole;
        if is_beyond(|known, own| known.0 < own.0) {
            limited = self.no_less(limited, least)?;
        }
        if is_beyond(|known, own| known.1 > own.1) {
            limited = self.no_more(limited, most)?;
        }
        Some(limited)
    }

    /// Integers from one on.
    pub(super) fn no_less(&mut self, whole: TensorId, least: i64) -> Option<TensorId> {
        let least = self.editor.known(ScalarType::Int, &[], Value::Int(least))?;
        self.editor.call("math.max", vec![], &[whole, least])
    }

    /// Integers up to one.
    pub(super) fn no_more(&mut self, whole: TensorId, most: i64) -> Option<TensorId> {
        let most = self.editor.known(ScalarType::Int, &[], Value::Int(most))?;
        self.editor.call("math.min", vec![], &[whole, most])
    }

    /// Whether the scale of results is one, or nothing that is known.
    fn has_steps(&self, to: &Rounding) -> bool {
        self.editor.number(to.scale).is_none_or(|scale| is_positive(&(scale as f32)))
    }

    /// Integers less what stands for 0.
    pub(super) fn centered(&mut self, x: &Scaled) -> Option<TensorId> {
        let Some(zero) = x.zero.filter(|zero| self.editor.number(*zero) != Some(0.0)) else { return Some(x.whole) };
        let attributes = match x.axis.filter(|_| self.editor.rank(zero) == 1) {
            Some(axis) => vec![("rhs_align", Value::Int(i64::try_from(axis).ok()?))],
            None if self.editor.rank(zero) == 1 && self.editor.volume(zero) == Some(1) => {
                let zero = self.editor.scalar(zero)?;
                return self.editor.call("math.sub", vec![], &[x.whole, zero]);
            }
            None => vec![],
        };
        self.editor.call("math.sub", attributes, &[x.whole, zero])
    }

    /// What stands for 0, without dimensions.
    pub(super) fn zero(&mut self, x: &Scaled) -> Option<TensorId> {
        self.scalar_zero(x.zero)
    }

    /// The same of results.
    pub(super) fn zero_of_results(&mut self, to: &Rounding) -> Option<TensorId> {
        self.scalar_zero(to.zero)
    }

    fn scalar_zero(&mut self, zero: Option<TensorId>) -> Option<TensorId> {
        match zero {
            Some(zero) => self.editor.scalar(zero),
            None => self.editor.known(ScalarType::Int, &[], Value::Int(0)),
        }
    }
}
