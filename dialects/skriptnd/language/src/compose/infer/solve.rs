//! Affine expressions of one unknown name (section 2.6): from their value to the value of the name.

use super::Inference;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::{Eval, Failure};
use crate::compose::extent::{SymExpr, SymOp};
use crate::compose::graph::RuntimeAssert;
use crate::compose::term::Term;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Span, UnaryOp};
use std::sync::Arc;

/// `coefficient * name + offset`; the name is missing in constants.
struct Linear {
    coefficient: i64,
    name: Option<Arc<str>>,
    offset: SymExpr,
}

/// How a value and what is expected of it compare.
pub(super) enum Agreement {
    Equal,
    Different,
    /// Only the run can tell.
    Open(SymExpr),
}

/// Compares two extents as far as symbols allow.
pub(super) fn compare(a: &SymExpr, b: &SymExpr) -> Agreement {
    match a.minus(b) {
        Some(SymExpr::Const(0)) => Agreement::Equal,
        Some(SymExpr::Const(_)) => Agreement::Different,
        _ => match SymExpr::apply(SymOp::Eq, vec![a.clone(), b.clone()]) {
            Some(SymExpr::Const(0)) | None => Agreement::Different,
            Some(SymExpr::Const(_)) => Agreement::Equal,
            Some(condition) => Agreement::Open(condition),
        },
    }
}

impl Inference<'_> {
    /// Makes `expr` have the value: binds its unknown name, or checks it if there is none. `Ok(Some(expected))` tells
    /// what it is if it has another value.
    pub(super) fn solve(&mut self, expr: &Expr, value: &SymExpr, what: &str) -> Eval<Option<Term>> {
        if let ExprKind::Name(name) = &expr.kind {
            if self.env.get(name).is_none() {
                self.env.set(name, Term::extent(value.clone()));
                return Ok(None);
            }
        }
        if self.is_known(expr) {
            let expected = self.eval(expr)?;
            return self.agree(&expected, value, what, expr.span);
        }
        let linear = self.linear(expr).filter(|linear| linear.coefficient != 0);
        let Some(Linear { coefficient, name: Some(name), offset }) = linear else {
            // Evaluation names what is missing.
            self.eval(expr)?;
            return Err(say::extent_not_affine(expr.span).into());
        };
        let rest = value.minus(&offset).ok_or(Failure::Silent)?;
        let divide = |op: SymOp| SymExpr::apply(op, vec![rest.clone(), SymExpr::Const(coefficient)]);
        let solution = divide(SymOp::FloorDiv).ok_or(Failure::Silent)?;
        match divide(SymOp::Mod) {
            Some(SymExpr::Const(0)) => {}
            Some(SymExpr::Const(_)) => {
                return Err(say::no_solution(&self.text(expr), value, what, self.request.site.span, expr.span).into());
            }
            remainder => {
                let whole = remainder.and_then(|r| SymExpr::apply(SymOp::Eq, vec![r, SymExpr::Const(0)]));
                self.assert_at_run_time(whole, format!("{what} does not fit the declared extent"), expr.span);
            }
        }
        if solution.as_known().is_some_and(|known| known < 0) {
            return Err(say::no_solution(&self.text(expr), value, what, self.request.site.span, expr.span).into());
        }
        self.env.set(&name, Term::extent(solution));
        Ok(None)
    }

    /// Checks a value against what is expected.
    pub(super) fn agree(&mut self, expected: &Term, value: &SymExpr, what: &str, span: Span) -> Eval<Option<Term>> {
        let extent = match expected {
            Term::Bool(condition) => SymExpr::Const(i64::from(*condition)),
            expected => match expected.as_extent() {
                Some(extent) => extent,
                None => return Err(say::known_int_expected(expected, span).into()),
            },
        };
        match compare(&extent, value) {
            Agreement::Equal => Ok(None),
            Agreement::Different => Ok(Some(expected.clone())),
            Agreement::Open(condition) if self.is_impossible(&condition) => Ok(Some(expected.clone())),
            Agreement::Open(condition) => {
                let message = format!("{what} must be {expected}");
                self.assert_at_run_time(Some(condition), message, span);
                Ok(None)
            }
        }
    }

    fn is_impossible(&self, condition: &SymExpr) -> bool {
        condition.truth(&|symbol| self.bounds.get(symbol).copied()) == Some(false)
    }

    pub(super) fn assert_at_run_time(&mut self, condition: Option<SymExpr>, message: String, span: Span) {
        let open = |condition: &SymExpr| condition.truth(&|symbol| self.bounds.get(symbol).copied()) != Some(true);
        if let Some(condition) = condition.filter(open) {
            self.runtime_asserts.push(RuntimeAssert { condition, message, span });
        }
    }

    fn linear(&self, expr: &Expr) -> Option<Linear> {
        match &expr.kind {
            ExprKind::Name(name) if self.env.get(name).is_none() => {
                Some(Linear { coefficient: 1, name: Some(name.clone()), offset: SymExpr::Const(0) })
            }
            ExprKind::Paren(inner) => self.linear(inner),
            ExprKind::Unary(UnaryOp::Plus, inner) => self.linear(inner),
            ExprKind::Unary(UnaryOp::Neg, inner) => self.linear(inner)?.scale(-1),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.linear(a)?.plus(self.linear(b)?),
            ExprKind::Binary(BinaryOp::Sub, a, b) => self.linear(a)?.plus(self.linear(b)?.scale(-1)?),
            ExprKind::Binary(BinaryOp::Mul, a, b) if !self.is_known(expr) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                let (constant, other) = if a.name.is_none() { (a, b) } else { (b, a) };
                other.scale(constant.constant()?)
            }
            _ if self.is_known(expr) => {
                let offset = self.eval(expr).ok()?.as_extent()?;
                Some(Linear { coefficient: 0, name: None, offset })
            }
            _ => None,
        }
    }
}

impl Linear {
    fn constant(&self) -> Option<i64> {
        if self.name.is_none() { self.offset.as_known() } else { None }
    }

    fn scale(self, factor: i64) -> Option<Self> {
        Some(Linear {
            coefficient: self.coefficient.checked_mul(factor)?,
            offset: self.offset.times(&SymExpr::Const(factor))?,
            name: self.name,
        })
    }

    fn plus(self, other: Linear) -> Option<Self> {
        let name = match (self.name, other.name) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        Some(Linear {
            coefficient: self.coefficient.checked_add(other.coefficient)?,
            name,
            offset: self.offset.plus(&other.offset)?,
        })
    }
}
