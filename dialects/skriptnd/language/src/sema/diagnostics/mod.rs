//! The messages of the checker, one constructor each.

mod composition;
mod declarations;
mod formulas;
mod invocations;
mod names;
mod types;

use crate::diagnostics::Diagnostic;
pub(super) use composition::*;
pub(super) use declarations::*;
pub(super) use formulas::*;
pub(super) use invocations::*;
pub(super) use names::*;
pub(super) use types::*;

/// Whether a message says that something is missing or unused.
pub(super) fn is_about_absence(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        "undeclared-identifier"
            | "used-before-definition"
            | "used-before-assignment"
            | "unknown-type"
            | "output-not-assigned"
            | "missing-initialisation"
            | "ambiguous-shape"
            | "no-computation"
            | "unused-result"
            | "unused-index"
    )
}

fn with_nearest(diagnostic: Diagnostic, nearest: Option<&str>) -> Diagnostic {
    match nearest {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None => diagnostic,
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("{count} {what}") } else { format!("{count} {what}s") }
}
