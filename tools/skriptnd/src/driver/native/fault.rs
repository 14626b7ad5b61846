//! What is said where a run of compiled code fails: what the interpreter says.

use crate::diagnostics::List;
use crate::driver::model::Composed;
use crate::failure::{Failure, print_message};
use skriptnd_compiler::fault::diagnostic;
use skriptnd_runtime::{Failed, ModelError};
use skriptnd_source::diagnostics::Diagnostics;

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
            Failure::Diagnosed(Box::new(List::of_fault(&failed)))
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
