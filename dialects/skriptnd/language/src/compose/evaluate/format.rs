//! String formatting.

use super::{Eval, Evaluator};
use crate::compose::term::Term;
use crate::syntax::ast::StrPart;
use std::fmt::Write;

impl Evaluator<'_> {
    /// A literal with `{expr}` in it; null if one of its expressions is.
    pub(super) fn formatted(&self, parts: &[StrPart]) -> Eval<Term> {
        let mut text = String::new();
        for part in parts {
            match part {
                StrPart::Text(literal) => text.push_str(literal),
                StrPart::Format(expr) => match self.eval(expr)? {
                    Term::Null => return Ok(Term::Null),
                    // Writing to a string can't fail.
                    value => _ = write!(text, "{}", value.checked()?),
                },
            }
        }
        Ok(Term::Str(text.into()))
    }
}
