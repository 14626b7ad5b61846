//! What can be wrong with options that are given to rules.

use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// An option that is given, and that no rule reads; `nearest` is one that some rule reads, and `span` where.
pub fn option_not_read(span: Span, option: &str, nearest: Option<&str>) -> Diagnostic {
    let message = format!("graph option `{option}` is given, and no rule reads it");
    let found = Diagnostic::warning(Code::UselessRule, span, message);
    match nearest {
        Some(nearest) => found.with_help(format!("did you mean `{nearest}`, which this rule reads?")),
        None => found.with_help("rules read options by OPTION_BOOL, OPTION_INT, OPTION_UINT and OPTION_FLOAT"),
    }
}
