//! Why an evaluation has no result.

use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};

/// Why there is no value.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error that has been reported already is the reason.
    Silent,
    /// To be reported.
    Report(Box<Diagnostic>),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure::Report(Box::new(diagnostic))
    }
}

/// The result of an evaluation.
pub(crate) type Eval<T> = Result<T, Failure>;

impl Failure {
    /// Adds the failure to the list, unless its reason is there already.
    pub(crate) fn report(self, diagnostics: &mut Diagnostics) {
        if let Failure::Report(diagnostic) = self {
            diagnostics.push(*diagnostic);
        }
    }
}
