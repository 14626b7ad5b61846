//! The error of this crate: a message and, where there is one, the place in the .td file.

/// What is wrong with a .td file, a command line or a file system.
///
/// Shown as `FILE:LINE:COLUMN: error: MESSAGE` with the source line underlined, if the place is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Error {
    message: String,
    text: String,
}

/// The result of reading or generating.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error without a place in a .td file.
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Self { text: format!("error: {message}"), message }
    }

    /// An error at a line and column of a named text.
    pub fn at_position(file: &str, line: usize, column: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { text: format!("{file}:{line}:{column}: error: {message}"), message }
    }

    /// An error that is rendered already: `FILE:LINE:COLUMN: error: MESSAGE`, with the source line.
    pub(crate) fn rendered(text: String) -> Self {
        let first = text.lines().next().unwrap_or_default();
        let message = first.split_once("error: ").map_or(first, |(_, message)| message).to_string();
        Self { message, text }
    }

    /// The message without its place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// A place in a .td file, kept for what is found out later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// An error at the place, with [`MESSAGE`] for the message; empty if the place is unknown.
    rendered: String,
}

/// Stands for a message that is not known yet.
pub(crate) const MESSAGE: &str = "\u{1}";

impl Place {
    /// A place by an error that stands there, with [`MESSAGE`] for the message; empty if it is unknown.
    pub(crate) fn rendered(rendered: String) -> Self {
        Self { rendered }
    }

    /// An error at this place.
    pub fn error(&self, message: impl Into<String>) -> Error {
        let message = message.into();
        match self.rendered.as_str() {
            "" => Error::new(message),
            rendered => Error { text: rendered.replacen(MESSAGE, &message, 1), message },
        }
    }
}
