//! The messages of this room, one constructor each.

mod control_flow;
mod expressions;
mod extents;
mod formulas;
mod graphs;
mod invocations;

pub(crate) use control_flow::*;
pub(crate) use expressions::*;
pub(crate) use extents::*;
pub(crate) use formulas::*;
pub(crate) use graphs::*;
pub(crate) use invocations::*;

use super::evaluate::Failure;
use skriptnd_source::diagnostics::Diagnostics;

/// Adds a failure to the list, unless its reason is there already.
pub(crate) fn report(diagnostics: &mut Diagnostics, failure: Failure) {
    if let Failure::Report(diagnostic) = failure {
        diagnostics.push(*diagnostic);
    }
}
