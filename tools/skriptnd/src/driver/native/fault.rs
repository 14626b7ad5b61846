//! What is said where a run of compiled code fails: what the interpreter says.

use crate::driver::model::Composed;
use crate::failure::{Failure, print_message};
use skriptnd_runtime::fault::{Failed, Place};
use skriptnd_runtime::model::ModelError;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Frame};
use skriptnd_source::{SourceMap, Span};

/// The failure of a run where the model's sources are at hand.
pub fn failure(error: ModelError, composed: &Composed) -> Failure {
    match error {
        ModelError::Failed(failed) => fault(&failed, composed),
        other => Failure::input(other),
    }
}

/// The failure of a run of which only the compiled model is known.
pub fn failure_without_sources(error: ModelError) -> Failure {
    match error {
        ModelError::Failed(failed) => {
            print_message(format_args!("{failed}\n"));
            Failure::Reported
        }
        other => Failure::input(other),
    }
}

/// The failure that a fault is; prints it.
pub fn fault(failed: &Failed, composed: &Composed) -> Failure {
    match diagnostic(failed, &composed.definitions.sources) {
        Some(diagnostic) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(diagnostic);
            composed.fail(&diagnostics)
        }
        None => failure_without_sources(ModelError::Failed(Box::new(failed.clone()))),
    }
}

/// None if the place is not in these sources.
fn diagnostic(failed: &Failed, sources: &SourceMap) -> Option<Diagnostic> {
    let fault = &failed.fault;
    let mut diagnostic = Diagnostic::error(fault.code.parse().ok()?, span(&fault.place, sources)?, failed.message());
    diagnostic.label.clone_from(&fault.label);
    diagnostic.help = (!fault.help.is_empty()).then(|| fault.help.clone());
    for (operator, place) in &fault.calls {
        diagnostic.chain.push(Frame { operator: operator.clone(), span: span(place, sources)? });
    }
    Some(diagnostic)
}

fn span(place: &Place, sources: &SourceMap) -> Option<Span> {
    let file = sources.find(&place.file)?;
    Some(Span { file, start: sources.offset(file, place.start), end: sources.offset(file, place.end) })
}
