//! Numbers below zero where there is none.

use super::checker::Checker;
use super::constant::whole;
use super::diagnostics;
use crate::grammar::model::{Expr, ExprKind, Type};
use crate::grammar::term::Term;

impl Checker<'_> {
    /// C++ makes a huge number of a negative constant that meets a size.
    pub fn warn_negative(&mut self, expr: &Expr) {
        if let (ExprKind::Integer(value), Type::Int) = (&expr.kind, expr.ty)
            && *value < 0
        {
            self.report(diagnostics::negative_size(expr.span, *value));
        }
    }

    /// The index of a dimension or an element, which is warned of where it is below zero.
    pub fn index(&mut self, name: &str, term: &Term) -> Option<Expr> {
        let index = self.integer(term)?;
        if let Some(value) = whole(&index).and_then(|value| i64::try_from(value).ok()).filter(|value| *value < 0) {
            self.report_at(term, diagnostics::negative_index(index.span, name, value));
        }
        Some(index)
    }
}
