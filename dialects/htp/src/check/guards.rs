//! Splits whose dimension the rule does not look at, or only where it is too small: warnings.

use super::constant::whole;
use super::diagnostics;
use super::truth::Facts;
use crate::grammar::model::*;
use skriptnd_source::diagnostics::Diagnostics;

/// Checks the splits of a rule: they stand at the root, or in a `SELECT` there; what stands elsewhere has been reported.
pub fn check(rule: &Rule, found: &mut Diagnostics) {
    let mut pending = vec![(&rule.replacement, vec![(&rule.constraint, false)])];
    while let Some((part, conditions)) = pending.pop() {
        match &part.kind {
            ReplacementKind::Select(condition, first, second) => {
                for (branch, negated) in [(second, true), (first, false)] {
                    let around = conditions.iter().copied().chain([(&**condition, negated)]);
                    pending.push((branch, around.collect()));
                }
            }
            ReplacementKind::AutoSplit(dimension, _, size, _) => split(rule, &conditions, dimension, size, found),
            _ => {}
        }
    }
}

/// Checks a split where some conditions hold, or with `true` fail.
fn split(rule: &Rule, conditions: &[(&Expr, bool)], dimension: &Expr, size: &Expr, found: &mut Diagnostics) {
    let mut compared = Compared::default();
    conditions.iter().for_each(|(condition, _)| compared.of(condition));
    let place = rule.constraint.span;
    if !compared.unknown && compared.indices.is_empty() {
        return found.push(diagnostics::split_unguarded(place));
    }
    let Some(dimension) = whole(dimension) else { return };
    if !compared.unknown && !compared.indices.contains(&dimension) {
        return found.push(diagnostics::split_guarded_elsewhere(place, dimension, compared.indices[0]));
    }
    let mut facts = Facts::default();
    if conditions.iter().any(|(condition, negated)| facts.add(condition, *negated, &rule.pattern).is_some()) {
        return;
    }
    let most = facts.extent_of_root(dimension).map(|range| range.most);
    if let Some((most, size)) = most.zip(whole(size)).filter(|(most, size)| most <= size) {
        found.push(diagnostics::split_in_vain(place, dimension, most, size));
    }
}

/// The dimensions that conditions compare with something.
#[derive(Default)]
struct Compared {
    indices: Vec<i128>,
    /// Whether something is compared whose dimension is not known.
    unknown: bool,
}

impl Compared {
    fn of(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Compare(_, first, second) => [first, second].into_iter().for_each(|side| self.side(side)),
            ExprKind::Not(inner) => self.of(inner),
            ExprKind::Reduce(_, operands) => operands.iter().for_each(|operand| self.of(operand)),
            ExprKind::Select(condition, first, second) => {
                [condition, first, second].into_iter().for_each(|part| self.of(part));
            }
            ExprKind::External(..) => self.unknown = true,
            _ => {}
        }
    }

    fn side(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::DimOf(_, index) => match whole(index) {
                Some(index) => self.indices.push(index),
                None => self.unknown = true,
            },
            ExprKind::Cast(inner) | ExprKind::Neg(inner) | ExprKind::Abs(inner) => self.side(inner),
            ExprKind::Reduce(_, operands) => operands.iter().for_each(|operand| self.side(operand)),
            ExprKind::Arithmetic(_, first, second) | ExprKind::Select(_, first, second) => {
                [first, second].into_iter().for_each(|part| self.side(part));
            }
            _ => {}
        }
    }
}
