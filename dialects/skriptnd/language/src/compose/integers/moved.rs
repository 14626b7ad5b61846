//! Elements that operators move, or choose the greatest or the least of: the integers that stand for them are moved as they are.

use super::known::{is_filling, is_moving, may_be_empty};
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::edit::single;
use crate::compose::graph::{Argument, Operation, OperationKind, OperatorCall, TensorId};
use crate::compose::value::ScalarType;

/// Integers that take the place of the reals that an operation moves.
struct Whole {
    /// In the order of the operands.
    operands: Vec<TensorId>,
    /// What places are filled with.
    filling: Option<TensorId>,
    /// Between which numbers they are known to lie.
    limits: Option<(i64, i64)>,
}

impl Rules<'_, '_> {
    /// What stands for the elements that an operation moves, where all that it reads have the same steps.
    pub(super) fn moved_alike(&mut self, id: TensorId) -> Option<Scaled> {
        let operation = self.made.get(&id)?.clone();
        let call = moving(&operation)?;
        let (mut first, mut operands, mut limits) = (None, Vec::new(), Some((i64::MAX, i64::MIN)));
        for item in self.reals_that_move(&operation, call) {
            let scaled = self.scaled(item).filter(|scaled| scaled.axis.is_none())?;
            // Several zeros would have to be moved as well.
            scaled.zero.is_none_or(|zero| self.editor.volume(zero) == Some(1)).then_some(())?;
            let known: Scaled = *first.get_or_insert(scaled);
            self.agree(&known, scaled.scale, scaled.zero).then_some(())?;
            limits = around(limits, self.range(scaled.whole));
            operands.push(scaled.whole);
        }
        let first = first?;
        let filling = match self.filling(&operation, call) {
            None => None,
            Some(0.0) => {
                let zero = first.zero.map_or(Some(0.0), |zero| self.editor.number(zero));
                limits = around(limits, zero.map(|zero| (zero as i64, zero as i64)));
                Some(self.zero(&first)?)
            }
            Some(_) => return None,
        };
        let outputs = self.moved(&operation, Whole { operands, filling, limits })?;
        let given = operation.outputs.iter().flat_map(Argument::items).zip(outputs);
        self.scaled.extend(given.map(|(given, whole)| (*given, Scaled { whole, ..first })));
        self.scaled.get(&id).copied()
    }

    /// The integers that elements become which an operation moves: those that they become before it.
    pub(super) fn moved_behind(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        let operation = self.read_once(x)?.clone();
        let call = moving(&operation)?;
        single(&operation.outputs)?;
        let reals = self.reals_that_move(&operation, call);
        let operands = reals.into_iter().map(|real| self.whole_of(real, to)).collect::<Option<Vec<_>>>()?;
        let filling = match self.filling(&operation, call) {
            None => None,
            Some(0.0) => Some(self.zero_of_results(to)?),
            Some(_) => {
                let Some(Argument::Single(number)) = operation.inputs.get(1) else { return None };
                Some(self.rounded(*number, to)?)
            }
        };
        let limits = Some(to.limits);
        self.moved(&operation, Whole { operands, filling, limits })?.pop()
    }

    /// The integers that a tensor or a number becomes.
    fn whole_of(&mut self, real: TensorId, to: &Rounding) -> Option<TensorId> {
        match self.editor.number(real) {
            Some(_) => self.rounded(real, to),
            None => self.computed(real, to),
        }
    }

    /// The reals that an operation moves; what else it reads tells where they go.
    fn reals_that_move(&self, operation: &Operation, call: &OperatorCall) -> Vec<TensorId> {
        let inputs = operation.inputs.iter().enumerate().filter(|(at, _)| !is_filling(call, *at));
        let items = inputs.flat_map(|(_, input)| input.items()).copied();
        items.filter(|id| self.editor.ty(*id).dtype == ScalarType::Real).collect()
    }

    /// The number that an operation fills places with; one that is not known is no number.
    fn filling(&self, operation: &Operation, call: &OperatorCall) -> Option<f64> {
        is_filling(call, 1).then(|| match operation.inputs.get(1) {
            Some(Argument::Single(number)) => self.editor.number(*number).unwrap_or(f64::NAN),
            _ => 0.0,
        })
    }

    /// The operation on integers, and what it gives.
    fn moved(&mut self, operation: &Operation, whole: Whole) -> Option<Vec<TensorId>> {
        let OperationKind::Operator(call) = &operation.kind else { return None };
        let mut operands = whole.operands.into_iter();
        let mut inputs = Vec::new();
        for (at, input) in operation.inputs.iter().enumerate() {
            inputs.push(match whole.filling {
                Some(filling) if is_filling(call, at) => Argument::Single(filling),
                _ => input.map(|id| match self.editor.ty(*id).dtype {
                    ScalarType::Real => operands.next().unwrap_or(*id),
                    _ => *self.replaced.get(id).unwrap_or(id),
                }),
            });
        }
        let outputs = self.all_again(call, inputs)?;
        let mut moved: Vec<TensorId> = outputs.iter().flat_map(Argument::items).copied().collect();
        if let [greatest] = moved.as_mut_slice()
            && may_be_empty(&call.operator)
        {
            *greatest = self.of_something(*greatest, call, whole.limits?)?;
        }
        if let Some(limits) = whole.limits {
            self.limits.extend(moved.iter().map(|id| (*id, limits)));
        }
        Some(moved)
    }

    /// A number of the type in place of the infinity that is the greatest, or the least, of nothing.
    fn of_something(&mut self, whole: TensorId, call: &OperatorCall, (least, most): (i64, i64)) -> Option<TensorId> {
        match *call.operator == *"math.min_reduce" {
            true => self.no_more(whole, most),
            false => self.no_less(whole, least),
        }
    }
}

/// The call of an operation that moves reals.
pub(super) fn moving(operation: &Operation) -> Option<&OperatorCall> {
    let OperationKind::Operator(call) = &operation.kind else { return None };
    let is_real = call.dtypes.values().all(|dtype| *dtype == ScalarType::Real);
    (is_moving(&call.operator) && is_real).then_some(call)
}

/// The limits of numbers that lie within one or the other.
fn around(all: Option<(i64, i64)>, own: Option<(i64, i64)>) -> Option<(i64, i64)> {
    all.zip(own).map(|(all, own)| (all.0.min(own.0), all.1.max(own.1)))
}
