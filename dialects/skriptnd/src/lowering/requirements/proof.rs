//! What holds in every iteration of an assignment, whatever the data are: by ranges, or by going through the iterations
//! where only loop indices matter and there are not too many of them.

use super::{Required, Requirement};
use crate::lowering::form::IndexForm;
use crate::lowering::inequalities::Inequalities;
use crate::lowering::limits::Limits;
use crate::lowering::plan::extent_of;
use crate::lowering::walk;
use skriptnd_language::arithmetic;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, FormulaConstant, Guard, Interval, Ranges, ScalarExpr, ScalarKind,
};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};
use std::collections::BTreeSet;

/// More iterations than this are not gone through.
const MOST_ITERATIONS: i64 = 1 << 16;

/// The smallest and the largest values of the integer expressions of an assignment.
pub struct Bounds<'e> {
    assignment: &'e Assignment,
    constants: &'e [FormulaConstant],
    extents: Vec<SymExpr>,
    limits: &'e Limits,
    forms: Vec<Option<IndexForm>>,
    locals: Vec<Option<Interval>>,
}

impl<'e> Bounds<'e> {
    /// For the expressions of one assignment.
    pub fn new(assignment: &'e Assignment, constants: &'e [FormulaConstant], limits: &'e Limits) -> Self {
        let extents = assignment.loops.iter().map(extent_of).collect();
        let mut bounds = Bounds { assignment, constants, extents, limits, forms: Vec::new(), locals: Vec::new() };
        for local in &assignment.locals {
            let (range, form) = (bounds.ranges().of(local), IndexForm::of(local, &bounds.forms));
            bounds.locals.push(range);
            bounds.forms.push(form);
        }
        bounds
    }

    fn ranges(&self) -> Ranges<'_> {
        Ranges { loops: &self.assignment.loops, constants: self.constants, locals: &self.locals }
    }

    /// Between which values an integer lies, inclusive; none if that depends on data.
    pub fn of(&self, expression: &ScalarExpr) -> Option<(i64, i64)> {
        let affine = self.symbolic(expression).and_then(|(low, high)| Some((low.as_known()?, high.as_known()?)));
        affine.or_else(|| {
            let Interval { low, high } = self.ranges().of(expression)?;
            Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
        })
    }

    /// The same where the ends may depend on extents that only a run knows.
    fn symbolic(&self, expression: &ScalarExpr) -> Option<(SymExpr, SymExpr)> {
        IndexForm::of(expression, &self.forms)?.range(&self.extents, self.limits)
    }

    /// Between which values an integer lies, which may depend on extents.
    fn ends(&self, expression: &ScalarExpr) -> Option<(SymExpr, SymExpr)> {
        let known = || self.of(expression).map(|(low, high)| (SymExpr::Const(low), SymExpr::Const(high)));
        self.symbolic(expression).or_else(known)
    }

    /// Whether an integer is never negative, `filled`: where the extent is positive.
    fn is_never_below(&self, expression: &ScalarExpr, filled: Option<&SymExpr>) -> bool {
        let last = filled.and_then(|extent| extent.minus(&SymExpr::Const(1)));
        let is_known = |low: &SymExpr| self.limits.is_never_negative(low) || last.as_ref() == Some(low);
        self.ends(expression).is_some_and(|(low, _)| is_known(&low))
            || self.choice(expression).is_some_and(|(op, a, b)| {
                let (a, b) = (self.is_never_below(a, filled), self.is_never_below(b, filled));
                if op == BinaryOp::Max { a || b } else { a && b }
            })
    }

    /// Whether an integer is always less than an extent, `filled`: where that is positive.
    fn is_never_above(&self, expression: &ScalarExpr, extent: &SymExpr, filled: bool) -> bool {
        let last = extent.minus(&SymExpr::Const(1));
        let is_known = |high: &SymExpr| {
            last.as_ref().is_some_and(|last| self.limits.is_at_most(high, last))
                || filled && self.limits.is_at_most(high, &SymExpr::Const(0))
        };
        self.ends(expression).is_some_and(|(_, high)| is_known(&high))
            || self.choice(expression).is_some_and(|(op, a, b)| {
                let (a, b) = (self.is_never_above(a, extent, filled), self.is_never_above(b, extent, filled));
                if op == BinaryOp::Min { a || b } else { a && b }
            })
    }

    /// The larger or the smaller one of two integers, if an expression is that.
    fn choice<'x>(&'x self, expression: &'x ScalarExpr) -> Option<(BinaryOp, &'x ScalarExpr, &'x ScalarExpr)> {
        match &expression.kind {
            ScalarKind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) if expression.dtype == ScalarType::Int => {
                Some((*op, a, b))
            }
            ScalarKind::Local(number) => self.choice(self.assignment.locals.get(*number)?),
            _ => None,
        }
    }

    /// Whether an index, without regard to its guard, is always inside of a dimension.
    pub fn is_within(&self, index: &ScalarExpr, extent: &SymExpr) -> bool {
        self.is_never_below(index, None) && self.is_never_above(index, extent, false)
    }

    /// Whether an index, remapped if it has such a guard, is always inside of a dimension, `filled`: of one that has elements.
    fn is_inside(&self, index: &AccessIndex, extent: &SymExpr, filled: bool) -> bool {
        let low = |index| self.is_never_below(index, filled.then_some(extent));
        let high = |index| self.is_never_above(index, extent, filled);
        let Guard::Remap { below, above } = &index.guard else { return low(&index.index) && high(&index.index) };
        (low(&index.index) || low(below) && high(below)) && (high(&index.index) || low(above) && high(above))
    }
}

/// What can be said of an assignment without its data.
pub(super) struct Proof<'e> {
    assignment: &'e Assignment,
    bounds: Bounds<'e>,
}

impl<'e> Proof<'e> {
    pub(super) fn new(assignment: &'e Assignment, constants: &'e [FormulaConstant], limits: &'e Limits) -> Self {
        Proof { assignment, bounds: Bounds::new(assignment, constants, limits) }
    }

    /// Whether an operator that may be undefined never is.
    pub(super) fn is_defined(&self, op: BinaryOp, left: &ScalarExpr, right: &ScalarExpr) -> bool {
        let excludes_zero = |part| self.bounds.of(part).is_some_and(|(low, high)| low > 0 || high < 0);
        match op {
            BinaryOp::Pow => excludes_zero(left) || self.bounds.of(right).is_some_and(|(low, _)| low >= 0),
            _ => excludes_zero(right),
        }
    }

    /// Whether an index, remapped if it has such a guard, is always inside of a dimension.
    pub(super) fn is_inside(&self, index: &AccessIndex, extent: &SymExpr) -> bool {
        self.bounds.is_inside(index, extent, false)
    }

    /// Whether it is inside of a dimension that has elements, as one is that is limited to the last of them.
    pub(super) fn is_limited(&self, index: &AccessIndex, extent: &SymExpr) -> bool {
        self.bounds.is_inside(index, extent, true)
    }

    /// The same where some conditions decide as they do.
    pub(super) fn is_inside_where(
        &self,
        index: &AccessIndex,
        extent: &SymExpr,
        branches: &[(&ScalarExpr, bool)],
    ) -> bool {
        let above = |form: &IndexForm| {
            let last = IndexForm::constant(extent.minus(&SymExpr::Const(1))?);
            last.plus(&form.scaled(&SymExpr::Const(-1))?)
        };
        let form = IndexForm::of(&index.index, &self.bounds.forms).filter(|_| index.guard == Guard::None);
        let Some((above, form)) = form.and_then(|form| Some((above(&form)?, form))) else { return false };
        let taken = branches.iter().filter(|(_, value)| *value);
        let said = taken
            .flat_map(|(condition, _)| Inequalities::of(condition, &self.assignment.locals, &self.bounds.forms).forms);
        let said: Vec<IndexForm> = said.collect();
        (said.contains(&form) || self.bounds.is_never_below(&index.index, None))
            && (said.contains(&above) || self.bounds.is_never_above(&index.index, extent, false))
    }

    /// Whether something holds in all iterations, where these are few and data have no part in it.
    pub(super) fn holds_everywhere(&self, requirement: &Requirement<'_>) -> bool {
        let loops = &self.assignment.loops;
        let mut used = BTreeSet::new();
        let condition = self.assignment.condition.iter().filter(|_| !requirement.in_condition);
        for part in requirement.parts().into_iter().chain(condition.clone()) {
            walk::loops(self.assignment, part, &mut used);
        }
        let extent =
            |number: &usize| loops.get(*number).filter(|index| index.dynamic.is_none()).map(|index| index.extent);
        let count = used.iter().try_fold(1i64, |count, number| count.checked_mul(extent(number)?));
        if count.is_none_or(|count| count > MOST_ITERATIONS) {
            return false;
        }
        let applies = |position: &[i64]| {
            let branches = requirement.branches.iter().map(|(condition, value)| (*condition, *value));
            let mut conditions = branches.chain(condition.clone().map(|condition| (condition, true)));
            // What depends on data may hold.
            conditions.all(|(condition, value)| self.truth(condition, position).is_none_or(|found| found == value))
        };
        let mut position = vec![0; loops.len()];
        loop {
            if applies(&position) && self.holds(&requirement.what, &position) != Some(true) {
                return false;
            }
            let Some(advanced) = used.iter().rev().find(|&&number| position[number] + 1 < loops[number].extent) else {
                return true;
            };
            position[*advanced] += 1;
            used.range(advanced + 1..).for_each(|&number| position[number] = 0);
        }
    }

    /// None if that depends on data.
    fn holds(&self, what: &Required<'_>, position: &[i64]) -> Option<bool> {
        match what {
            Required::Inside { index, extent, .. } => {
                let extent = extent.as_known()?;
                let at = self.int(&index.index, position)?;
                let at = match &index.guard {
                    Guard::Remap { below, .. } if at < 0 => self.int(below, position)?,
                    Guard::Remap { above, .. } if at >= extent => self.int(above, position)?,
                    _ => at,
                };
                Some((0..extent).contains(&at))
            }
            Required::Defined { op, left, right } => {
                let (left, right) = (self.int(left, position)?, self.int(right, position)?);
                Some(arithmetic::int(*op, left, right)?.wrapped().is_ok())
            }
        }
    }

    /// The value of an integer in one iteration; none if it depends on data.
    fn int(&self, expression: &ScalarExpr, position: &[i64]) -> Option<i64> {
        match &expression.kind {
            ScalarKind::Const(Value::Int(value)) => Some(*value),
            ScalarKind::Index(number) => position.get(*number).copied(),
            ScalarKind::Local(number) => self.int(self.assignment.locals.get(*number)?, position),
            ScalarKind::Unary(UnaryOp::Plus, a) => self.int(a, position),
            ScalarKind::Unary(UnaryOp::Neg, a) => Some(self.int(a, position)?.wrapping_neg()),
            ScalarKind::Binary(op, a, b) => {
                arithmetic::int(*op, self.int(a, position)?, self.int(b, position)?)?.wrapped().ok()
            }
            ScalarKind::Select(condition, a, b) => {
                self.int(if self.truth(condition, position)? { a } else { b }, position)
            }
            ScalarKind::Cast(a) if a.dtype == ScalarType::Bool => self.truth(a, position).map(i64::from),
            ScalarKind::Builtin(function, a) => {
                arithmetic::int_builtin(*function, self.int(a, position)?)?.wrapped().ok()
            }
            _ => None,
        }
    }

    /// The same of a truth value.
    fn truth(&self, expression: &ScalarExpr, position: &[i64]) -> Option<bool> {
        match &expression.kind {
            ScalarKind::Const(Value::Bool(value)) => Some(*value),
            ScalarKind::Local(number) => self.truth(self.assignment.locals.get(*number)?, position),
            ScalarKind::Unary(UnaryOp::Not, a) => self.truth(a, position).map(|a| !a),
            ScalarKind::Binary(op, a, b) if a.dtype == ScalarType::Int => {
                arithmetic::compare(*op, self.int(a, position)?, self.int(b, position)?)
            }
            ScalarKind::Binary(op, a, b) if a.dtype == ScalarType::Bool => {
                arithmetic::logic(*op, self.truth(a, position)?, self.truth(b, position)?)
            }
            ScalarKind::Select(condition, a, b) => {
                self.truth(if self.truth(condition, position)? { a } else { b }, position)
            }
            ScalarKind::Cast(a) if a.dtype == ScalarType::Int => self.int(a, position).map(|a| a != 0),
            _ => None,
        }
    }
}
