//! Collecting what MLIR reports, and reporting to it.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use melior::diagnostic as raw;

use super::{Context, Location, OperationRef};
use crate::diagnostics::{Diagnostic, Failure, Position, Severity};
use crate::ffi;

impl Position {
    /// The place in a file that a location stands for: of a call site the callee, of a name its child, of a fused
    /// location the first that has one.
    pub fn of(location: Location<'_>) -> Option<Self> {
        let mut pending = vec![location.0];
        while let Some(location) = pending.pop() {
            if location.is_file_line_col_range() {
                return Some(Self::of_range(location));
            } else if let Some(origin) = Location(location).origin() {
                return Self::of(Location(location.fused_location(0)))
                    .map(|place| Self { origin: Some(origin.into()), ..place });
            } else if location.is_name() {
                pending.push(location.name_child_location());
            } else if location.is_call_site() {
                pending.extend([location.call_site_caller(), location.call_site_callee()]);
            } else if location.is_fused() {
                pending.extend((0..location.fused_num_locations()).rev().map(|index| location.fused_location(index)));
            }
        }
        None
    }

    fn of_range(location: melior::ir::Location<'_>) -> Self {
        let file = location.file_line_col_range_filename();
        // SAFETY: the name is interned in the context.
        let file = unsafe { ffi::bytes_from(file.as_string_ref().to_raw()) };
        Self {
            file: String::from_utf8_lossy(file).into_owned(),
            origin: None,
            line: location.file_line_col_range_start_line(),
            column: location.file_line_col_range_start_column(),
        }
    }
}

impl Diagnostic {
    fn from_raw(diagnostic: &raw::Diagnostic<'_>) -> Self {
        let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index).ok());
        Self {
            severity: match diagnostic.severity() {
                raw::DiagnosticSeverity::Error => Severity::Error,
                raw::DiagnosticSeverity::Warning => Severity::Warning,
                raw::DiagnosticSeverity::Note => Severity::Note,
                raw::DiagnosticSeverity::Remark => Severity::Remark,
            },
            message: diagnostic.to_string(),
            position: Position::of(Location(diagnostic.location())),
            rule: Location(diagnostic.location()).rule().and_then(Position::of),
            location: diagnostic.location().to_string(),
            notes: notes.map(|note| Self::from_raw(&note)).collect(),
        }
    }
}

/// Runs an action and returns, beside its result, everything that it reported. Nothing is printed. What other threads of
/// the context report is theirs: passes that run in parallel do not see each other's reports, and MLIR hands those of its
/// worker threads to the thread that started them.
pub fn capture<R>(context: &Context, action: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    let collected = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&collected);
    let owner = thread::current().id();
    let handler = context.0.attach_diagnostic_handler(move |diagnostic| {
        if thread::current().id() != owner {
            return false;
        }
        sink.lock().unwrap_or_else(PoisonError::into_inner).push(Diagnostic::from_raw(&diagnostic));
        true
    });
    let detach = Detach { context, handler: Some(handler) };
    let result = action();
    drop(detach);
    let diagnostics = std::mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner));
    (result, diagnostics)
}

/// Detaches the handler on the way out, also when the action panics.
struct Detach<'c> {
    context: &'c Context,
    handler: Option<raw::DiagnosticHandlerId>,
}

impl Drop for Detach<'_> {
    fn drop(&mut self) {
        if let Some(handler) = self.handler.take() {
            self.context.0.detach_diagnostic_handler(handler);
        }
    }
}

/// Reports a diagnostic at a location.
pub fn emit(location: Location<'_>, severity: Severity, message: &str) {
    emit_with(location, severity, message, &[]);
}

/// Reports a diagnostic at a location, with what explains it.
pub fn emit_with(location: Location<'_>, severity: Severity, message: &str, notes: &[String]) {
    let notes: Vec<_> = notes.iter().map(|note| ffi::text(note)).collect();
    let severity = match severity {
        Severity::Note => 0,
        Severity::Warning => 1,
        Severity::Error => 2,
        Severity::Remark => 3,
    };
    // SAFETY: the location is valid, and the strings outlive the call.
    unsafe { ffi::skndEmitDiagnostic(location.to_raw(), severity, ffi::text(message), notes.as_ptr(), notes.len()) }
}

/// Reports a failure at an operation, unless it was reported.
pub(crate) fn report(operation: OperationRef<'_, '_>, failure: &Failure) {
    if let Some(message) = failure.message() {
        let notes: Vec<_> = failure.notes().iter().map(|note| ffi::text(note)).collect();
        // SAFETY: the operation is valid, and the strings outlive the call.
        unsafe { ffi::skndEmitOpError(operation.to_raw(), ffi::text(message), notes.as_ptr(), notes.len()) }
    }
}
