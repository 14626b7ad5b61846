//! Failures, reported where they belong.

use skriptnd_mlir::ir::{Location, OperationRef, emit};
use skriptnd_mlir::{Failure, Severity};

/// Reports a failure at the operation that it is about.
pub fn report<'c: 'a, 'a, T>(operation: OperationRef<'c, 'a>, result: Result<T, Failure>) -> Result<T, Failure> {
    report_at(operation.location(), operation.full_name(), result)
}

/// Reports a failure at the place of an operation that there is not yet.
pub fn report_at<T>(location: Location<'_>, name: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    result.map_err(|failure| {
        if let Some(message) = failure.message() {
            emit(location, Severity::Error, &format!("'{name}' op {message}"));
        }
        Failure::reported()
    })
}
