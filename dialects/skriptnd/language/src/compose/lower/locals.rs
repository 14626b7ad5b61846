//! Intermediate values of an assignment.

use crate::compose::evaluate::scalar;
use crate::compose::formula::{AccessIndex, ScalarExpr, ScalarKind};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;

/// Larger expressions are computed once, whatever they are.
const SUBSTITUTED_NODES: usize = 64;

/// The values that an assignment computes once per iteration.
#[derive(Debug, Default)]
pub(super) struct Locals {
    pub(super) values: Vec<ScalarExpr>,
}

impl Locals {
    /// What the name of an intermediate value stands for: index arithmetic is substituted, so that accesses stay
    /// affine in the loop indices; everything else is computed once.
    pub(super) fn define(&mut self, term: Term) -> Term {
        match term {
            Term::Pack(items) => Term::Pack(items.into_iter().map(|item| self.define(item)).collect()),
            Term::Scalar(expr) => Term::Scalar(Box::new(self.keep(*expr))),
            Term::Index(index) => {
                let AccessIndex { index, guard } = *index;
                Term::Index(Box::new(AccessIndex { index: self.keep(index), guard }))
            }
            other => other,
        }
    }

    fn keep(&mut self, expr: ScalarExpr) -> ScalarExpr {
        let index = expr.dtype == ScalarType::Int && !scalar::may_fail(&expr);
        let small = scalar::size(&expr, SUBSTITUTED_NODES) < SUBSTITUTED_NODES;
        let leaf = matches!(expr.kind, ScalarKind::Const(_) | ScalarKind::Index(_) | ScalarKind::Local(_));
        if leaf || (index && small) {
            return expr;
        }
        let local = ScalarExpr { dtype: expr.dtype, kind: ScalarKind::Local(self.values.len()) };
        self.values.push(expr);
        local
    }
}
