//! Quantized tensors, their elements where operators moved them, and what stands for 0 in them.

use super::known::{is_moving, may_be_empty};
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::definitions::Integers;
use crate::compose::edit::{Invocation, single};
use crate::compose::graph::{Argument, OperationKind, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

impl Rules<'_, '_> {
    /// A tensor of quantized reals, whose elements may have been moved since.
    pub(super) fn scaled(&mut self, id: TensorId) -> Option<Scaled> {
        let id = *self.replaced.get(&id).unwrap_or(&id);
        if let Some(known) = self.scaled.get(&id) {
            return Some(*known);
        }
        let operation = self.made.get(&id)?.clone();
        let OperationKind::Operator(call) = &operation.kind else { return None };
        if !is_moving(&call.operator) || call.dtypes.values().any(|dtype| *dtype != ScalarType::Real) {
            return None;
        }
        let (mut first, mut inputs, mut limits) = (None, Vec::new(), Some((i64::MAX, i64::MIN)));
        for input in &operation.inputs {
            let mut items = Vec::new();
            for item in input.items() {
                let scaled = self.scaled(*item).filter(|scaled| scaled.axis.is_none())?;
                // Several zeros would have to be moved as well.
                scaled.zero.is_none_or(|zero| self.editor.volume(zero) == Some(1)).then_some(())?;
                let known: Scaled = *first.get_or_insert(scaled);
                self.agree(&known, scaled.scale, scaled.zero).then_some(())?;
                limits =
                    limits.zip(self.limits.get(&scaled.whole)).map(|(all, own)| (all.0.min(own.0), all.1.max(own.1)));
                items.push(scaled.whole);
            }
            let mut items = items.into_iter();
            inputs.push(input.map(|id| items.next().unwrap_or(*id)));
        }
        let mut moved = single(&self.moved(call, inputs)?)?;
        if may_be_empty(&call.operator) {
            moved = self.above(moved, limits?)?;
        }
        if let Some(limits) = limits {
            self.limits.insert(moved, limits);
        }
        let scaled = Scaled { whole: moved, ..first? };
        self.scaled.insert(id, scaled);
        Some(scaled)
    }

    /// The least value of a type in place of the infinity that is the greatest of nothing.
    fn above(&mut self, whole: TensorId, (least, _): (i64, i64)) -> Option<TensorId> {
        let least = self.editor.known(ScalarType::Int, &[], Value::Int(least))?;
        self.editor.call("math.max", vec![], &[whole, least])
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
    pub(super) fn moved(&mut self, call: &OperatorCall, inputs: Vec<Argument>) -> Option<Vec<Argument>> {
        let attributes = call.attributes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        self.editor.invoke(Invocation { operator: &call.operator, attributes, inputs })
    }

    /// The same operator on integers, of which there is one result.
    pub(super) fn again(&mut self, call: &OperatorCall, inputs: Vec<Argument>) -> Option<TensorId> {
        single(&self.moved(call, inputs)?)
    }

    /// Quantized values for another scale and zero.
    pub(super) fn rescaled(&mut self, from: &Scaled, to: &Rounding) -> Option<TensorId> {
        if from.axis.is_some() {
            return None;
        }
        let is_within = |(least, most): &(i64, i64)| *least >= to.limits.0 && *most <= to.limits.1;
        if self.agree(from, to.scale, to.zero) && self.limits.get(&from.whole).is_some_and(is_within) {
            return Some(from.whole);
        }
        let is_known = self.integers == Integers::Everywhere || self.limits.contains_key(&from.whole);
        let centered = self.centered(from).filter(|_| is_known)?;
        let scale = self.editor.vector(from.scale)?;
        let factor = self.by_scale(scale, to)?;
        self.requantized(centered, factor, 0, to)
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
