//! What can be wrong with parts of a replacement that no graph has.

use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// A number that makes the replacement undefined everywhere; `wanted` is what its place takes.
pub fn impossible_number(span: Span, wanted: &str, found: i128) -> Diagnostic {
    nothing_is_replaced(span, format!("{wanted}, found {found}"))
}

/// Something that no graph can be asked for.
pub fn nothing_is_replaced(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, message)
        .with_note("a rule does nothing where its replacement is undefined")
}
