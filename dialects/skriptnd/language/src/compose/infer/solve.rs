//! Affine expressions of one unknown name (section 2.6): from their value to the value of the name.

use super::Inference;
use crate::compose::diagnostics as say;
use crate::compose::extent::{SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::term::Term;
use crate::compose::value::{Symbolic, Value};
use crate::compose::violation::RuntimeAssert;
use crate::compose::violation::Violation;
use say::Subject;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostic;
use skriptnd_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use std::sync::Arc;

/// `coefficient * name + offset`; the name is missing in constants.
struct Linear {
    coefficient: i64,
    name: Option<Arc<str>>,
    offset: SymExpr,
}

impl Inference<'_> {
    /// Makes `expr` have the value: binds its unknown name, or checks it if there is none. `span` is the argument.
    pub(super) fn solve(&mut self, expr: &Expr, value: &SymExpr, subject: Subject<'_>, span: Span) -> Eval<()> {
        if let ExprKind::Name(name) = &expr.kind {
            if self.env.get(name).is_none() {
                self.env.set(name, Term::extent(value.clone()));
                return Ok(());
            }
        }
        if self.is_known(expr) {
            let expected = self.eval(expr)?;
            return self.agree(expr, &expected, value, subject, span);
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
        let compare = |op: SymOp, a: SymExpr, b: SymExpr| SymExpr::apply(op, vec![a, b]).ok_or(Failure::Silent);
        let whole = compare(SymOp::Eq, divide(SymOp::Mod).ok_or(Failure::Silent)?, SymExpr::Const(0))?;
        let possible = compare(SymOp::Le, SymExpr::Const(0), solution.clone())?;
        let condition = compare(SymOp::And, whole, possible)?;
        let written = self.text(expr);
        let violation = say::no_solution(self.request.path, subject, (&written, &name), value, span);
        self.require(condition, violation)?;
        self.env.set(&name, Term::extent(solution));
        Ok(())
    }

    /// Checks a number against what its declaration says.
    pub(super) fn agree(
        &mut self,
        expr: &Expr,
        expected: &Term,
        value: &SymExpr,
        subject: Subject<'_>,
        span: Span,
    ) -> Eval<()> {
        let expected = match expected {
            Term::Bool(condition) => SymExpr::Const(i64::from(*condition)),
            expected => match expected.as_extent() {
                Some(extent) => extent,
                None => return Err(say::known_int_expected(expected, expr.span).into()),
            },
        };
        let condition = SymExpr::apply(SymOp::Eq, vec![expected.clone(), value.clone()]).ok_or(Failure::Silent)?;
        let written = self.text(expr);
        let violation = say::number_mismatch(self.request.path, subject, (&written, &expected), value, span);
        self.require(condition, violation)
    }

    /// Fails if the condition can't hold; leaves it to the run where only that can tell.
    pub(super) fn require(&mut self, condition: SymExpr, violation: Violation) -> Eval<()> {
        match condition.truth(&|symbol| self.bounds.get(symbol).copied()) {
            Some(true) => Ok(()),
            Some(false) => Err(Failure::Report(Box::new(self.certain(violation)))),
            None => {
                self.runtime_asserts.push(RuntimeAssert { condition, violation });
                Ok(())
            }
        }
    }

    /// The error of a condition that holds for no extents, which shows what these can be.
    pub(super) fn certain(&self, violation: Violation) -> Diagnostic {
        let bounded = |value: &Value| match value {
            Value::Symbolic(Symbolic::Int(expr)) => {
                let bound = expr.upper_bound(&|symbol| self.bounds.get(symbol).copied())?;
                Some(Value::Str(format!("{expr}, at most {bound}").into()))
            }
            _ => None,
        };
        violation.diagnostic(&bounded)
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
