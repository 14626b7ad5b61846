//! A line for each rule that is applied.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::diagnostics::Position;
use crate::ir::OperationRef;

static IS_ON: AtomicBool = AtomicBool::new(false);

/// From now on each rule that is applied is printed to standard error, with its place and that of the operation, whichever
/// driver applies it.
pub fn trace_rewrites() {
    IS_ON.store(true, Ordering::Relaxed);
}

pub(super) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Prints that a rule is applied at an operation; the place of the rule is empty if it is unknown.
pub(super) fn applied(rule: &str, place: &str, operation: OperationRef<'_, '_>) {
    print(rule, place, operation.full_name(), &shown(operation));
}

/// The place of an operation as it is printed.
pub(super) fn shown(operation: OperationRef<'_, '_>) -> String {
    Position::of(operation.location()).map_or_else(|| operation.location().to_string(), |position| position.to_string())
}

pub(super) fn print(rule: &str, place: &str, operation: &str, at: &str) {
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    // Standard error may be gone.
    let _ = writeln!(std::io::stderr(), "{place}rule '{rule}' rewrites '{operation}' at {at}");
}
