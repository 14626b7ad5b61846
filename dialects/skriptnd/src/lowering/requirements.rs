//! What must hold in a run for an assignment to have a value: unguarded indices are inside of their tensors, divisors are
//! not 0 (specification, sections 2.4 and 2.12). What holds whatever the data are is left out, so that most formulas
//! require nothing.

mod proof;

use super::limits::Limits;
use super::plan::{TensorShape, Tensors};
use super::walk;
pub use proof::Bounds;
use proof::Proof;
use skriptnd_language::arithmetic;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, Formula, FormulaConstant, Guard, ScalarExpr, ScalarKind, TensorRef,
};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_syntax::ast::BinaryOp;
use std::collections::BTreeSet;
use std::slice;

/// Something that must hold in every iteration that is not skipped.
#[derive(Debug, Clone)]
pub struct Requirement<'e> {
    /// What.
    pub what: Required<'e>,
    /// The branches that it stands in: conditions of selects with the values that they must have.
    pub branches: Vec<(&'e ScalarExpr, bool)>,
    /// Whether it is part of the assignment's condition; others count only where that holds.
    pub in_condition: bool,
}

/// What must hold.
#[derive(Debug, Clone)]
pub enum Required<'e> {
    /// An index, remapped if it has such a guard, is at least 0 and below the extent.
    Inside {
        /// The tensor that is accessed.
        tensor: TensorRef,
        /// The dimension of the tensor that is indexed.
        dimension: usize,
        /// One index of the access.
        index: &'e AccessIndex,
        /// The extent of that dimension.
        extent: SymExpr,
        /// Whether it holds for all dimensions that have elements.
        is_limited: bool,
    },
    /// An operator on integers has a value: the divisor is not 0, the power of 0 not negative.
    Defined {
        /// The operator on integers.
        op: BinaryOp,
        /// What is divided, or raised to a power.
        left: &'e ScalarExpr,
        /// What it is divided by, or the exponent.
        right: &'e ScalarExpr,
    },
}

/// What an assignment requires beyond what is certain, in the order in which its parts are evaluated.
pub fn requirements<'e>(
    assignment: &'e Assignment,
    tensors: Tensors<'_>,
    constants: &[FormulaConstant],
) -> Vec<Requirement<'e>> {
    let proof = Proof::new(assignment, constants, tensors.limits);
    let mut search = Search { tensors, proof: &proof, branches: Vec::new(), in_condition: false, found: Vec::new() };
    for local in &assignment.locals {
        search.expression(local);
    }
    if let Some(condition) = &assignment.condition {
        search.in_condition = true;
        search.expression(condition);
        search.in_condition = false;
    }
    for (target, value) in assignment.targets.iter().zip(&assignment.values) {
        search.expression(value);
        search.access(target.tensor, &target.indices);
    }
    let Search { mut found, .. } = search;
    found.retain(|requirement| !proof.holds_everywhere(requirement));
    found
}

/// Whether a formula on tensors of these shapes requires anything beyond what is certain.
pub fn may_fail(formula: &Formula, inputs: &[TensorShape], outputs: &[TensorShape], limits: &Limits) -> bool {
    let constants: Vec<_> = formula.constants.iter().map(TensorShape::of_constant).collect();
    let tensors = Tensors { inputs, outputs, constants: &constants, limits };
    formula.assignments.iter().any(|assignment| !requirements(assignment, tensors, &formula.constants).is_empty())
}

/// The loops whose indices decide which iterations fail.
pub fn loops_of(assignment: &Assignment, requirements: &[Requirement<'_>]) -> BTreeSet<usize> {
    let mut loops = BTreeSet::new();
    let mut add = |expression: &ScalarExpr| walk::loops(assignment, expression, &mut loops);
    requirements.iter().flat_map(Requirement::parts).for_each(&mut add);
    assignment.condition.iter().for_each(&mut add);
    if skips(assignment) {
        assignment.values.iter().chain(&assignment.locals).for_each(&mut add);
        assignment.targets.iter().for_each(|target| walk::index_parts(&target.indices, &mut add));
    }
    loops
}

impl<'e> Requirement<'e> {
    /// The expressions that decide whether it holds.
    fn parts(&self) -> Vec<&'e ScalarExpr> {
        let mut parts: Vec<&'e ScalarExpr> = self.branches.iter().map(|(condition, _)| *condition).collect();
        match &self.what {
            Required::Inside { index, .. } => walk::index_parts(slice::from_ref(index), &mut |part| parts.push(part)),
            Required::Defined { left, right, .. } => parts.extend([left, right]),
        }
        parts
    }
}

/// The extents that must be 0 for any of the requirements not to hold; none if some may fail in other cases.
pub fn limiting<'r>(requirements: &'r [Requirement<'_>]) -> Option<Vec<&'r SymExpr>> {
    let limiting = requirements.iter().map(|requirement| match &requirement.what {
        Required::Inside { extent, is_limited: true, .. } => Some(extent),
        _ => None,
    });
    limiting.collect()
}

/// Whether a guard may skip an iteration.
pub fn skips(assignment: &Assignment) -> bool {
    let skipping = |indices: &[AccessIndex]| indices.iter().any(|index| index.guard == Guard::Skip);
    assignment.targets.iter().any(|target| skipping(&target.indices))
        || walk::accesses(assignment).into_iter().any(|access| match &access.kind {
            ScalarKind::Access { indices, .. } => skipping(indices),
            _ => false,
        })
}

/// Whether what is required depends on elements that the assignment writes.
pub fn reads_targets(assignment: &Assignment, requirements: &[Requirement<'_>]) -> bool {
    let written = |tensor: &TensorRef| assignment.targets.iter().any(|target| target.tensor == *tensor);
    let reads = walk::accesses(assignment).into_iter().any(|access| match &access.kind {
        ScalarKind::Access { tensor, .. } => written(tensor),
        _ => false,
    });
    reads && !requirements.is_empty()
}

struct Search<'s, 'e> {
    tensors: Tensors<'s>,
    proof: &'s Proof<'s>,
    branches: Vec<(&'e ScalarExpr, bool)>,
    in_condition: bool,
    found: Vec<Requirement<'e>>,
}

impl<'e> Search<'_, 'e> {
    fn expression(&mut self, expression: &'e ScalarExpr) {
        match &expression.kind {
            ScalarKind::Const(_) | ScalarKind::Index(_) | ScalarKind::Local(_) => {}
            ScalarKind::Access { tensor, indices } => self.access(*tensor, indices),
            ScalarKind::Unary(_, a) | ScalarKind::Cast(a) | ScalarKind::Builtin(_, a) => self.expression(a),
            ScalarKind::Binary(op, a, b) => {
                self.expression(a);
                self.expression(b);
                if expression.dtype == ScalarType::Int
                    && arithmetic::may_be_undefined(*op)
                    && !self.proof.is_defined(*op, a, b)
                {
                    self.require(Required::Defined { op: *op, left: a, right: b });
                }
            }
            ScalarKind::Select(condition, a, b) => {
                self.expression(condition);
                for (branch, value) in [(a, true), (b, false)] {
                    self.branches.push((condition, value));
                    self.expression(branch);
                    self.branches.pop();
                }
            }
        }
    }

    fn access(&mut self, tensor: TensorRef, indices: &'e [AccessIndex]) {
        let shape = self.tensors.get(tensor).map_or(&[][..], |shape| &shape.shape);
        for (dimension, (index, extent)) in indices.iter().zip(shape).enumerate() {
            walk::index_parts(slice::from_ref(index), &mut |part| self.expression(part));
            if index.guard != Guard::Skip
                && !self.proof.is_inside(index, extent)
                && !self.proof.is_inside_where(index, extent, &self.branches)
            {
                let is_limited = self.proof.is_limited(index, extent);
                self.require(Required::Inside { tensor, dimension, index, extent: extent.clone(), is_limited });
            }
        }
    }

    fn require(&mut self, what: Required<'e>) {
        let (branches, in_condition) = (self.branches.clone(), self.in_condition);
        self.found.push(Requirement { what, branches, in_condition });
    }
}

#[cfg(test)]
mod tests;
