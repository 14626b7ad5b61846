//! String formatting.

use super::Evaluator;
use crate::compose::diagnostics as say;
use crate::compose::failure::Eval;
use crate::compose::limits;
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Expr, ExprKind, StrPart};
use std::fmt::Write;

impl Evaluator<'_> {
    /// A literal with `{expr}` in it; null if one of its expressions is.
    pub(super) fn formatted(&self, parts: &[StrPart], span: Span) -> Eval<Term> {
        self.assembled(parts, false, span)
    }

    /// A text for people, in which null is a word.
    pub(crate) fn message(&self, expr: &Expr) -> Eval<Term> {
        match &expr.kind {
            ExprKind::Str(parts) => self.assembled(parts, true, expr.span),
            ExprKind::Paren(inner) => self.message(inner),
            _ => self.eval(expr),
        }
    }

    fn assembled(&self, parts: &[StrPart], with_null: bool, span: Span) -> Eval<Term> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        for part in parts {
            match part {
                StrPart::Text(literal) => text.push_str(literal),
                StrPart::Format(expr) => match self.eval(expr)? {
                    Term::Null if !with_null => return Ok(Term::Null),
                    value if is_symbolic(&value) => {
                        pieces.push(Term::Str(std::mem::take(&mut text).into()));
                        pieces.push(value);
                    }
                    value if is_runtime(&value) => return Err(say::formatted_at_run_time(expr.span).into()),
                    // Writing to a string can't fail.
                    value => _ = write!(text, "{}", value.checked()?),
                },
            }
            if text.len() > limits::STRING_BYTES {
                return Err(say::string_too_long(span).into());
            }
        }
        if pieces.is_empty() {
            return Ok(Term::Str(text.into()));
        }
        pieces.push(Term::Str(text.into()));
        self.bounded_size(Term::Formatted(pieces), span)
    }
}

/// Whether the value is an element of a tensor, or computed from one or from an index symbol.
fn is_runtime(term: &Term) -> bool {
    match term {
        Term::Scalar(_) => true,
        Term::Pack(items) => items.iter().any(is_runtime),
        Term::Repeat(item, _) => is_runtime(item),
        _ => false,
    }
}

/// Whether only the run knows the value.
fn is_symbolic(term: &Term) -> bool {
    match term {
        Term::Symbolic(_) | Term::Condition(_) | Term::SymbolicReal(_) | Term::Formatted(_) | Term::Sequence(_) => true,
        Term::Pack(items) => items.iter().any(is_symbolic),
        Term::Repeat(item, _) => is_symbolic(item),
        _ => false,
    }
}
