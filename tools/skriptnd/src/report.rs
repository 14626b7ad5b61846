//! Diagnostics for people, on standard error.

use crate::diagnostics::List;
use crate::failure::{Failure, print_message, report as print_failure};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Diagnostics, Severity, render};

/// How many diagnostics are shown: nobody reads more of them at once.
const SHOWN: usize = 100;

/// Prints diagnostics, and how many there are if there are several.
pub fn print(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics.iter().take(SHOWN) {
        print_message(render(diagnostic, sources));
    }
    let left = diagnostics.iter().count().saturating_sub(SHOWN);
    if left > 0 {
        print_message(format_args!("... and {left} more, which `skriptnd check --json` lists\n"));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        print_message(format_args!("{errors} errors\n"));
    }
}

/// Prints diagnostics, and keeps them for who wants JSON.
pub fn fail(diagnostics: &Diagnostics, sources: &SourceMap) -> Failure {
    print(diagnostics, sources);
    Failure::Diagnosed(Box::new(List::of(diagnostics, sources)))
}

/// Prints errors that stand nowhere in a model, and keeps them for who wants JSON.
#[cfg(feature = "mlir")]
pub fn fail_with(failures: Vec<Failure>) -> Failure {
    let mut list = List::default();
    failures.into_iter().filter_map(keep).for_each(|further| list.append(further));
    Failure::Diagnosed(Box::new(list))
}

/// Prints a failure that is one of several; what it says.
pub fn keep(failure: Failure) -> Option<List> {
    let list = match &failure {
        Failure::Usage(message) | Failure::Input(message) => Some(List::of_message(message)),
        Failure::Diagnosed(list) => Some((**list).clone()),
        Failure::Reported => None,
    };
    print_failure(failure);
    list
}
