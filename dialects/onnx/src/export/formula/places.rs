//! Where the elements are that an assignment writes, as far as its loops alone tell that.

use super::{FormulaWriter, Nest};
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind, Target, TensorRef};
use skriptnd_language::compose::value::{Symbolic, Value};
use skriptnd_syntax::ast::BinaryOp;

/// For each dimension of a result the loops whose indices are its own: one, none where it has one element, or several, of
/// which the inner ones run through a part for each iteration of the outer ones.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// By dimension, outer loops first.
    pub dimensions: Vec<Vec<usize>>,
    /// The loops that are none of these.
    pub others: Vec<usize>,
}

impl Places {
    /// The loops in the order of the result's elements; none for a dimension that has one element.
    pub fn flat(&self) -> Vec<Option<usize>> {
        let each = |dimension: &Vec<usize>| match dimension.is_empty() {
            true => vec![None],
            false => dimension.iter().copied().map(Some).collect(),
        };
        self.dimensions.iter().flat_map(each).collect()
    }

    /// Whether a dimension is made of several loops.
    pub fn is_split(&self) -> bool {
        self.dimensions.iter().any(|dimension| dimension.len() > 1)
    }
}

impl FormulaWriter<'_, '_> {
    /// Where a target's elements are; none where other things than loops tell it, or loops leave elements out.
    pub(super) fn places(&self, nest: &Nest<'_>, target: &Target) -> Option<Places> {
        let TensorRef::Output(at) = target.tensor else { return None };
        let ty = &self.given.outputs[at];
        let mut dimensions: Vec<Vec<usize>> = Vec::new();
        for (access, extent) in target.indices.iter().zip(&ty.shape) {
            let own = nest.runs_through(&access.index, extent)?;
            if own.iter().any(|number| dimensions.iter().flatten().any(|other| other == number)) {
                return None;
            }
            dimensions.push(own);
        }
        let is_other =
            |number: &usize| !dimensions.iter().flatten().any(|own| own == number) && !nest.fixed.contains_key(number);
        let others = (0..nest.depth()).filter(is_other).collect();
        Some(Places { dimensions, others })
    }
}

impl Nest<'_> {
    /// The loops, outer ones first, by which an index runs through a whole dimension in order.
    fn runs_through(&self, index: &ScalarExpr, extent: &Extent) -> Option<Vec<usize>> {
        if let ScalarKind::Index(number) = index.kind
            && self.covers(number, extent)
        {
            return Some(vec![number]);
        }
        let mut terms = self.terms(index)?;
        // The index of a loop that runs once is 0.
        terms.retain(|(number, _)| self.extent(*number) != Some(1));
        let mut inner = SymExpr::Const(1);
        let mut loops = Vec::new();
        while !terms.is_empty() {
            let next = terms.iter().position(|(_, step)| *step == inner)?;
            let (number, _) = terms.swap_remove(next);
            inner = inner.times(&self.extent_expression(number))?;
            loops.insert(0, number);
        }
        (inner == extent.value).then_some(loops)
    }

    /// An index as a sum of the indices of loops, each times a number that does not change; none where it is no such sum.
    fn terms(&self, expression: &ScalarExpr) -> Option<Vec<(usize, SymExpr)>> {
        match &expression.kind {
            ScalarKind::Const(Value::Int(0)) => Some(Vec::new()),
            ScalarKind::Index(number) if !self.fixed.contains_key(number) => Some(vec![(*number, SymExpr::Const(1))]),
            ScalarKind::Local(number) => self.terms(&self.assignment.locals[*number]),
            ScalarKind::Binary(BinaryOp::Add, a, b) => Some([self.terms(a)?, self.terms(b)?].concat()),
            ScalarKind::Binary(BinaryOp::Mul, a, b) => {
                let (factor, rest) = match (constant(a), constant(b)) {
                    (Some(factor), _) => (factor, b),
                    (_, factor) => (factor?, a),
                };
                let scaled = |(number, step): (usize, SymExpr)| Some((number, step.times(&factor)?));
                self.terms(rest)?.into_iter().map(scaled).collect()
            }
            _ => None,
        }
    }
}

/// A number that no loop changes.
fn constant(expression: &ScalarExpr) -> Option<SymExpr> {
    match &expression.kind {
        ScalarKind::Const(Value::Int(value)) => Some(SymExpr::Const(*value)),
        ScalarKind::Const(Value::Symbolic(Symbolic::Int(value))) => Some(value.clone()),
        _ => None,
    }
}
