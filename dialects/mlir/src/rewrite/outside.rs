//! Failures in drivers that MLIR runs by itself, such as its canonicalizer: they go on, so the process remembers.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::diagnostics::Severity;
use crate::ir::{Location, emit};

static HAS_FAILED: AtomicBool = AtomicBool::new(false);

/// Reports an error that such a driver cannot be told of.
pub(crate) fn report_outside(location: Location<'_>, message: &str) {
    HAS_FAILED.store(true, Ordering::Relaxed);
    emit(location, Severity::Error, message);
}

/// Whether anything failed in such a driver in this process.
pub(crate) fn has_failed_outside() -> bool {
    HAS_FAILED.load(Ordering::Relaxed)
}
