//! The messages of the checker, one constructor each.

mod composition;
mod declarations;
mod formulas;
mod invocations;
mod names;
mod types;

pub(super) use composition::*;
pub(super) use declarations::*;
pub(super) use formulas::*;
pub(super) use invocations::*;
pub(super) use names::*;
use skriptnd_source::diagnostics::{Code, Diagnostic};
pub(super) use types::*;

/// What a message misses.
pub(super) enum Absence {
    /// Nothing.
    Nothing,
    /// A declaration, assignment or use of the name at its place.
    Name,
    /// Some part of the definition.
    Part,
}

/// What a message misses, which may have been there before something else was damaged.
pub(super) fn absence(diagnostic: &Diagnostic) -> Absence {
    match diagnostic.code {
        Code::UndeclaredIdentifier
        | Code::UsedBeforeDefinition
        | Code::UsedBeforeAssignment
        | Code::UnknownType
        | Code::OutputNotAssigned
        | Code::NotAPack => Absence::Name,
        Code::MissingInitialisation
        | Code::AmbiguousShape
        | Code::NoComputation
        | Code::NoOutput
        | Code::UnusedResult
        | Code::UnusedIndex => Absence::Part,
        _ => Absence::Nothing,
    }
}

/// Whether a message is about one of several parameters at the same place.
pub(super) fn is_about_parameters(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        Code::MissingAttribute | Code::MissingArgument | Code::TypeNotDeduced | Code::ArgumentCount
    )
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("{count} {what}") } else { format!("{count} {what}s") }
}
