//! What limits reals before they are quantized, a ReLU for one: the integers have the same limits, in steps of results.

use super::rules::{Rounding, Rules};
use crate::compose::edit::single;
use crate::compose::graph::{OperationKind, TensorId};
use crate::compose::value::Value;

/// What limits reals before they are quantized.
enum Limit {
    Least(TensorId),
    Most(TensorId),
    NotNegative,
}

impl Rules<'_, '_> {
    /// Sums and products of integers, or integers as they are, which may be moved then, within limits.
    pub(super) fn summed(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        let (unlimited, limits) = self.limited(x);
        let whole = match self.scaled(unlimited) {
            Some(scaled) => {
                // Tables of bytes take one step, whatever the limits and the scales are.
                let is_limited = self.agree(&scaled, to.scale, to.zero) || !self.has_table(&scaled);
                self.rescaled(&scaled, to).filter(|_| is_limited)?
            }
            None => {
                let sum = self.attempt(|rules| rules.sum_or_product(unlimited, to));
                sum.or_else(|| self.moved_behind(unlimited, to))?
            }
        };
        limits.into_iter().rev().try_fold(whole, |whole, limit| self.within(whole, &limit, to))
    }

    /// The tensor that limits are for, and what limits it, the last one first.
    fn limited(&self, mut id: TensorId) -> (TensorId, Vec<Limit>) {
        let mut limits = Vec::new();
        while let Some((inner, own)) = self.limits_of(id) {
            limits.extend(own);
            id = inner;
        }
        (id, limits)
    }

    /// What an operation limits, and how, if the results are read once only and are not quantized.
    fn limits_of(&self, id: TensorId) -> Option<(TensorId, Vec<Limit>)> {
        let operation = self.read_once(id).filter(|_| !self.scaled.contains_key(&id))?;
        let OperationKind::Operator(call) = &operation.kind else { return None };
        let input = |at: usize| operation.inputs.get(at).and_then(|input| single(std::slice::from_ref(input)));
        let number = |at: usize| input(at).filter(|id| self.editor.number(*id).is_some());
        let is_null = |name: &str| call.attributes.get(name).is_none_or(|value| *value == Value::Null);
        let limits = match &*call.operator {
            "nn.relu" if is_null("alpha") && is_null("max") => vec![Limit::NotNegative],
            "math.clamp" => vec![Limit::Most(number(2)?), Limit::Least(number(1)?)],
            "math.max" => vec![Limit::Least(number(1)?)],
            "math.min" => vec![Limit::Most(number(1)?)],
            _ => return None,
        };
        Some((input(0)?, limits))
    }

    /// Limits integers as reals were.
    fn within(&mut self, whole: TensorId, limit: &Limit, to: &Rounding) -> Option<TensorId> {
        let (operator, limit) = match limit {
            Limit::NotNegative => match to.zero {
                None if to.limits.0 >= 0 => return Some(whole),
                _ => ("math.max", self.zero_of_results(to)?),
            },
            Limit::Least(limit) => ("math.max", self.rounded(*limit, to)?),
            Limit::Most(limit) => ("math.min", self.rounded(*limit, to)?),
        };
        let limit = self.editor.scalar(limit)?;
        self.editor.call(operator, vec![], &[whole, limit])
    }
}
