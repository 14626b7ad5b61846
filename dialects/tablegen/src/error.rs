//! The errors of this crate: messages with the place in the .td file that is wrong.

use std::{
    fmt::{self, Display, Formatter, Write as _},
    sync::Arc,
};

/// What is wrong with a .td file, a command line or a file system: one diagnostic or several independent ones.
///
/// Each is shown as `FILE:LINE:COLUMN: error: MESSAGE` with the source line and a caret, where the place is known.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    diagnostics: Vec<Diagnostic>,
}

/// The result of reading or generating.
pub type Result<T> = std::result::Result<T, Error>;

/// Whether something is wrong or only left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Something has no counterpart in Rust and is left out.
    Warning,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    place: Place,
    message: String,
    notes: Vec<String>,
    help: Option<String>,
    /// The whole text where another tool wrote it.
    rendered: Option<String>,
}

impl Diagnostic {
    fn new(severity: Severity, place: Place, message: impl Into<String>) -> Self {
        Self { severity, place, message: message.into(), notes: Vec::new(), help: None, rendered: None }
    }

    /// A warning at a place.
    pub fn warning(place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, place, message)
    }

    /// The message without its place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where it stands.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The same with a remark.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl Display for Diagnostic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(rendered) = &self.rendered {
            return f.write_str(rendered);
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        match &self.place.position {
            Some(position) => {
                write!(f, "{}:{}:{}: {severity}: {}", position.file, position.line, position.column, self.message)?;
                if !position.source.trim().is_empty() {
                    write!(f, "\n{}\n{}^", position.source, position.indentation())?;
                }
            }
            None => write!(f, "{severity}: {}", self.message)?,
        }
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))?;
        self.help.iter().try_for_each(|help| write!(f, "\nhelp: {help}"))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            write!(text, "{}{diagnostic}", if index == 0 { "" } else { "\n" })?;
        }
        f.write_str(&text)
    }
}

/// What a `main` that returns errors shows: the messages, as a compiler would.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl Error {
    /// An error without a place in a .td file.
    pub fn new(message: impl Into<String>) -> Self {
        Place::default().error(message)
    }

    /// An error at a line and column of a named text.
    pub fn at_position(file: &str, line: usize, column: usize, message: impl Into<String>) -> Self {
        Place::at(file, line, column, "").error(message)
    }

    /// An error that is rendered already: `FILE:LINE:COLUMN: error: MESSAGE`, with the source line.
    pub(crate) fn rendered(text: String) -> Self {
        let first = text.lines().next().unwrap_or_default();
        let message = first.split_once("error: ").map_or(first, |(_, message)| message).to_string();
        let mut error = Self::new(message);
        error.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.rendered = Some(text.clone()));
        error
    }

    /// All of them as one; `Ok` if there are none.
    pub fn collect(errors: impl IntoIterator<Item = Error>) -> Result<()> {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        for diagnostic in errors.into_iter().flat_map(|error| error.diagnostics) {
            // A class that several definitions inherit from is wrong once, whichever of them is named beside.
            let is_same = |other: &Diagnostic| {
                let position = diagnostic.place.position();
                position.is_some() && other.place == diagnostic.place && other.message == diagnostic.message
            };
            if !diagnostics.iter().any(|other| *other == diagnostic || is_same(other)) {
                diagnostics.push(diagnostic);
            }
        }
        if diagnostics.is_empty() { Ok(()) } else { Err(Self { diagnostics }) }
    }

    /// What is wrong, one by one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The first message without its place.
    pub fn message(&self) -> &str {
        self.diagnostics.first().map(Diagnostic::message).unwrap_or_default()
    }

    /// The same with a remark about each message.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        let note = note.into();
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.notes.push(note.clone()));
        self
    }

    /// The same with where it was found, in words, in each message that does not say so yet.
    #[must_use]
    pub fn within(mut self, whereabouts: &str) -> Self {
        let untold = |item: &&mut Diagnostic| !item.notes.iter().any(|note| note.starts_with("in "));
        let untold = self.diagnostics.iter_mut().filter(untold);
        untold.for_each(|diagnostic| diagnostic.notes.insert(0, whereabouts.to_string()));
        self
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        let help = help.into();
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.help = Some(help.clone()));
        self
    }
}

/// A place in a .td file, kept for what is found out later.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    position: Option<Arc<Position>>,
}

/// A known place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Position {
    file: String,
    /// From one.
    line: usize,
    /// From one, in bytes.
    column: usize,
    /// The whole line.
    source: String,
}

impl Position {
    /// White space as wide as what stands before the column.
    fn indentation(&self) -> String {
        let before = self.source.get(..self.column.saturating_sub(1)).unwrap_or_default();
        before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
    }
}

impl Place {
    /// A place by its line and column, both from one, and the line's text.
    pub fn at(file: &str, line: usize, column: usize, source: &str) -> Self {
        let position = Position { file: file.into(), line, column, source: source.into() };
        Self { position: Some(Arc::new(position)) }
    }

    /// File, line and column, if known.
    pub fn position(&self) -> Option<(&str, usize, usize)> {
        self.position.as_deref().map(|position| (position.file.as_str(), position.line, position.column))
    }

    /// Whether it is in the file of this name.
    pub fn is_in(&self, file: &str) -> bool {
        self.position().is_some_and(|(own, ..)| own == file)
    }

    /// An error at this place.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error { diagnostics: vec![Diagnostic::new(Severity::Error, self.clone(), message)] }
    }
}
