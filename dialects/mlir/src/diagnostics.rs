//! What MLIR reports, with the file, line and column that it is about, and what is reported to it.

use std::fmt;

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

/// A place in a source file; line and column count from one. It is shown as `FILE:LINE:COLUMN`, or as `FILE: ORIGIN`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The name of the file as it was given to the parser or the importer.
    pub file: String,
    /// What the text was made of there, if a program wrote it.
    pub origin: Option<Box<str>>,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Some(origin) => write!(formatter, "{}: {origin}", self.file),
            None => write!(formatter, "{}:{}:{}", self.file, self.line, self.column),
        }
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
    /// The place of the rule that made the operation that it is about, if one did.
    pub rule: Option<Position>,
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
