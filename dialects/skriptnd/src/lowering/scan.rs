//! Sums over all items before (or behind) one, as those of `cumsum`: `output[.., z, ..] += input[.., |z - k + c|, ..]` for all `k` that there
//! are. Each is the one before and one item more: a loop of the run carries the sum, so that the work grows with the
//! length and not with its square.

use super::form::IndexForm;
use super::limits::Limits;
use super::plan::{Tensors, extent_of};
use super::requirements::requirements;
use super::walk;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{Assignment, FormulaConstant, Guard, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_syntax::ast::AssignOp;

const ONE: SymExpr = SymExpr::Const(1);

/// An accumulation that is such a sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// What is added up.
    pub input: TensorRef,
    /// What the sums are written to.
    pub output: TensorRef,
    /// The dimension of both along which the items follow each other.
    pub dimension: usize,
    /// How many sums have an item.
    pub count: SymExpr,
    /// Where the first of these sums is written, and where the first item is; from there on they go one by one.
    pub first: (SymExpr, SymExpr),
    /// Whether they go backwards.
    pub is_reversed: bool,
}

impl Scan {
    /// Whether an assignment is one, of a tensor that the assignments `before` it leave zero.
    pub fn of(
        assignment: &Assignment,
        before: &[Assignment],
        tensors: Tensors<'_>,
        constants: &[FormulaConstant],
    ) -> Option<Scan> {
        let ([target], [value]) = (assignment.targets.as_slice(), assignment.values.as_slice()) else { return None };
        let ScalarKind::Access { tensor: input, indices } = &value.kind else { return None };
        let is_plain = assignment.op == AssignOp::Add && assignment.condition.is_none();
        if !is_plain
            || *input == target.tensor
            || !walk::is_zero(target.tensor, before)
            || !requirements(assignment, tensors, constants).is_empty()
        {
            return None;
        }
        let mut locals = Vec::new();
        for local in &assignment.locals {
            locals.push(IndexForm::of(local, &locals));
        }
        let form = |index: &ScalarExpr| IndexForm::of(index, &locals);
        let written =
            target.indices.iter().map(|index| form(&index.index)?.as_index().filter(|_| index.guard == Guard::None));
        let written: Vec<usize> = written.collect::<Option<_>>()?;
        let (from, to) = (tensors.get(*input)?, tensors.get(target.tensor)?);
        let mut along = None;
        for (dimension, index) in indices.iter().enumerate() {
            let form = form(&index.index)?;
            let is_same = form.as_index().is_some() && form.as_index() == written.get(dimension).copied();
            match (is_same && from.shape.get(dimension) == to.shape.get(dimension), &along) {
                (true, _) => {}
                (false, None) if index.guard == Guard::Skip => along = Some((dimension, form)),
                _ => return None,
            }
        }
        let ((dimension, form), extents) = (along?, assignment.loops.iter().map(extent_of).collect::<Vec<_>>());
        let is_whole = |(&number, extent): (&usize, &SymExpr)| extents.get(number) == Some(extent);
        let distinct = written.iter().enumerate().all(|(at, number)| !written[..at].contains(number));
        if written.len() != to.shape.len() || !distinct || !written.iter().zip(&to.shape).all(is_whole) {
            return None;
        }
        let along = *written.get(dimension)?;
        // Every other loop is one of the target, but for the one that counts the items.
        let counted = (0..extents.len()).filter(|number| !written.contains(number)).collect::<Vec<_>>();
        let [counted] = *counted.as_slice() else { return None };
        let is_reversed = match form.known_terms()?.as_slice() {
            terms if same_terms(terms, &[(along, 1), (counted, -1)]) => false,
            terms if same_terms(terms, &[(along, 1), (counted, 1)]) => true,
            _ => return None,
        };
        let sizes = Sizes { sums: &extents[along], items: &extents[counted], extent: from.shape.get(dimension)? };
        let (count, first) = sizes.ends(form.offset(), is_reversed, tensors.limits)?;
        Some(Scan { input: *input, output: target.tensor, dimension, count, first, is_reversed })
    }
}

fn same_terms(terms: &[(usize, i64)], expected: &[(usize, i64)]) -> bool {
    terms.len() == expected.len() && expected.iter().all(|term| terms.contains(term))
}

struct Sizes<'e> {
    sums: &'e SymExpr,
    /// How many items each sum may have.
    items: &'e SymExpr,
    /// How many there are.
    extent: &'e SymExpr,
}

impl Sizes<'_> {
    /// How many sums have items, and where these begin; none where some sum begins later than with the first item there is, or does
    /// not end with its own.
    fn ends(&self, offset: &SymExpr, is_reversed: bool, limits: &Limits) -> Option<(SymExpr, (SymExpr, SymExpr))> {
        let zero = SymExpr::Const(0);
        if is_reversed {
            // From `z + offset` to the end, for `z < extent - offset`.
            let count = limits.not_negative(self.extent.minus(offset)?)?;
            let reach = self.items.plus(offset)?;
            let fits = limits.is_never_negative(offset);
            let covers = limits.is_at_most(self.extent, &reach) && limits.is_at_most(&count, self.sums);
            let last = (count.minus(&ONE)?, self.extent.minus(&ONE)?);
            return (fits && covers).then_some((count, last));
        }
        // From the begin to `z + offset`, for `z >= -offset`.
        let count = limits.not_negative(self.sums.plus(offset)?)?;
        let fits = limits.is_at_most(offset, &zero);
        let covers = limits.is_at_most(&count, self.items) && limits.is_at_most(&count, self.extent);
        (fits && covers).then_some((count, (zero.minus(offset)?, zero)))
    }
}

#[cfg(test)]
mod tests;
