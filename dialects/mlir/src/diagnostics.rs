//! What MLIR reports, with the file, line and column that it is about.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use melior::diagnostic as raw;

use crate::ffi;
use crate::ir::{Context, Location};

/// How severe a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Explains another diagnostic.
    Note,
    /// A remark on what the compiler did.
    Remark,
    /// Suspicious, but accepted.
    Warning,
    /// Refused.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Note => "note",
            Self::Remark => "remark",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A place in a source file; line and column count from one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The name of the file as it was given to the parser or the importer.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The place in a file that a location stands for: of a call site the callee, of a name its child, of a fused
    /// location the first that has one.
    pub fn of(location: Location<'_>) -> Option<Self> {
        let mut pending = vec![location.0];
        while let Some(location) = pending.pop() {
            if location.is_file_line_col_range() {
                return Some(Self::of_range(location));
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
            line: location.file_line_col_range_start_line(),
            column: location.file_line_col_range_start_column(),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A diagnostic, independent of the context that reported it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How severe it is.
    pub severity: Severity,
    /// The message, without place or severity.
    pub message: String,
    /// The place in a file, if its location has one.
    pub position: Option<Position>,
    /// Its whole location as MLIR prints it, with calls and names.
    pub location: String,
    /// The notes that explain it.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn new(diagnostic: &raw::Diagnostic<'_>) -> Self {
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
            location: diagnostic.location().to_string(),
            notes: notes.map(|note| Self::new(&note)).collect(),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(formatter, "{position}: ")?;
        }
        write!(formatter, "{}: {}", self.severity, self.message)?;
        for note in &self.notes {
            write!(formatter, "\n{note}")?;
        }
        Ok(())
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
        sink.lock().unwrap_or_else(PoisonError::into_inner).push(Diagnostic::new(&diagnostic));
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
    ffi::emit_diagnostic(location, severity, message, notes);
}

/// Why a callback refuses what it was given. The bridge reports it at the operation at hand, prefixed as MLIR does
/// (`'dialect.op' op message`), unless it was reported already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: Option<String>,
    notes: Vec<String>,
}

impl Failure {
    /// A failure with a message yet to be reported.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), notes: Vec::new() }
    }

    /// A failure that has been reported to the context already.
    pub fn reported() -> Self {
        Self { message: None, notes: Vec::new() }
    }

    /// Adds a note to be reported with the message.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The message, unless it was reported already.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The notes to be reported with the message.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message().unwrap_or("failed, as reported"))?;
        self.notes.iter().try_for_each(|note| write!(formatter, "\nnote: {note}"))
    }
}

impl std::error::Error for Failure {}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<crate::Error> for Failure {
    fn from(error: crate::Error) -> Self {
        Self::new(error.to_string())
    }
}
