//! What the evaluator needs to know of the formula that it makes expressions for.

use super::scalar;
use crate::compose::extent::SymExpr;
use crate::compose::extent::interval::Interval;
use crate::compose::formula::{
    AccessIndex, FormulaConstant, Guard, LoopIndex, Ranges, ScalarExpr, ScalarKind, TensorRef,
};
use crate::compose::tensors::FormalId;
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use skriptnd_source::Span;
use skriptnd_syntax::ast::BinaryOp;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// What messages call the index of a slice.
const SLICE: &str = ":";

/// The tensors of a formula, and the assignment that is being made.
#[derive(Debug, Default)]
pub(crate) struct FormulaContext {
    /// What the tensors that the definition declares are in the formula.
    pub(crate) tensors: Vec<TensorRef>,
    constants: RefCell<Vec<FormulaConstant>>,
    /// The loops so far.
    pub(in crate::compose) loops: RefCell<Vec<LoopIndex>>,
    /// Accesses that every iteration makes.
    pub(in crate::compose) accesses: RefCell<Vec<NotedAccess>>,
    /// Whether an index is skipped outside of its tensor, in whatever branch.
    pub(in crate::compose) skips: Cell<bool>,
    /// How many branches are around that an iteration may not take.
    branches: Cell<usize>,
}

/// An access where it is written.
#[derive(Debug)]
pub(in crate::compose) struct NotedAccess {
    pub(in crate::compose) span: Span,
    pub(in crate::compose) tensor: FormalId,
    pub(in crate::compose) indices: Vec<AccessIndex>,
}

impl FormulaContext {
    pub(crate) fn new(tensors: Vec<TensorRef>, constants: Vec<FormulaConstant>) -> Self {
        FormulaContext { tensors, constants: RefCell::new(constants), ..FormulaContext::default() }
    }

    pub(crate) fn tensor(&self, id: FormalId) -> Option<TensorRef> {
        self.tensors.get(id.index()).copied()
    }

    /// The element at a run-time index of a pack of known values, as an access to a constant tensor.
    pub(in crate::compose) fn table(
        &self,
        name: &Arc<str>,
        items: &[Term],
        dtype: ScalarType,
        index: ScalarExpr,
    ) -> Option<Term> {
        let value = Value::Pack(items.iter().map(Term::to_value).collect::<Option<_>>()?);
        let mut constants = self.constants.borrow_mut();
        let same =
            |constant: &FormulaConstant| constant.name == *name && constant.dtype == dtype && constant.value == value;
        let at = constants.iter().position(same).unwrap_or_else(|| {
            constants.push(FormulaConstant { name: name.clone(), dtype, shape: vec![items.len() as i64], value });
            constants.len() - 1
        });
        let indices = vec![AccessIndex { index, guard: Guard::None }];
        let kind = ScalarKind::Access { tensor: TensorRef::Constant(at), indices };
        Some(Term::from(ScalarExpr { dtype, kind }))
    }

    /// The values that an integer expression can have.
    pub(in crate::compose) fn range(&self, expr: &ScalarExpr) -> Option<Interval> {
        Ranges { loops: &self.loops.borrow(), constants: &self.constants.borrow(), locals: &[] }.of(expr)
    }

    /// Whether the index is a position in a pack of this length, or one from its end, in every iteration.
    pub(in crate::compose) fn is_within(&self, index: &ScalarExpr, length: usize) -> bool {
        let length = length as i128;
        self.range(index).is_some_and(|range| range.low >= -length && range.high < length)
    }

    /// A position in a pack of this length, where negative indices count from the end (section 2.4).
    pub(in crate::compose) fn wrapped_index(&self, index: &ScalarExpr, length: usize) -> Option<ScalarExpr> {
        if self.range(index).is_some_and(|range| range.low >= 0) {
            return Some(index.clone());
        }
        let negative = scalar::binary(BinaryOp::Lt, index.clone(), scalar::int(0))?;
        let from_end = scalar::binary(BinaryOp::Add, index.clone(), scalar::int(i64::try_from(length).ok()?))?;
        scalar::select(negative, from_end, index.clone())
    }

    /// Notes an access that every iteration makes.
    pub(in crate::compose) fn note(&self, span: Span, tensor: FormalId, indices: &[AccessIndex]) {
        if !self.in_branch() {
            let indices = indices.to_vec();
            self.accesses.borrow_mut().push(NotedAccess { span, tensor, indices });
        }
    }

    /// The index of the loop over a dimension whose extent only the run knows, for `x[:]`.
    pub(in crate::compose) fn slice_loop(&self, extent: &SymExpr, bound: Option<i64>) -> Term {
        let mut loops = self.loops.borrow_mut();
        let same = |index: &LoopIndex| index.name == SLICE && index.dynamic.as_ref() == Some(extent);
        let at = loops.iter().position(same).unwrap_or_else(|| {
            let (known, dynamic) = loop_extent(extent, bound);
            loops.push(LoopIndex { name: SLICE.to_owned(), extent: known, dynamic });
            loops.len() - 1
        });
        Term::from(ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(at) })
    }

    /// Evaluates something that an iteration may leave out.
    pub(in crate::compose) fn conditionally<T>(&self, evaluate: impl FnOnce() -> T) -> T {
        self.branches.set(self.branches.get() + 1);
        let result = evaluate();
        self.branches.set(self.branches.get() - 1);
        result
    }

    /// Whether an iteration may leave out what is being evaluated.
    pub(crate) fn in_branch(&self) -> bool {
        self.branches.get() > 0 || self.skips.get()
    }

    /// Begins another assignment.
    pub(in crate::compose) fn restart(&self) {
        self.loops.borrow_mut().clear();
        self.skips.set(false);
        self.accesses.borrow_mut().clear();
    }

    pub(crate) fn into_constants(self) -> Vec<FormulaConstant> {
        self.constants.into_inner()
    }
}

/// The extent of a loop: known, or its upper bound with the expression.
pub(crate) fn loop_extent(expr: &SymExpr, bound: Option<i64>) -> (i64, Option<SymExpr>) {
    match expr {
        SymExpr::Const(value) => (*value, None),
        expr => (bound.unwrap_or(i64::MAX), Some(expr.clone())),
    }
}
