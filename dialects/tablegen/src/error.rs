//! The error of this crate: a message and, where there is one, the place in the .td file.

use tblgen::error::{SourceError, SourceLoc};

use crate::records::Records;

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

/// The message alone, in the form that `tblgen` decorates with a place.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Message(String);

impl Error {
    /// An error without a place in a .td file.
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Self { text: format!("error: {message}"), message }
    }

    /// An error at a record or at a field of a record.
    pub fn at(records: &Records, place: impl SourceLoc, message: impl Into<String>) -> Self {
        let message = message.into();
        let location = place.source_location();
        let rendered =
            SourceError::new(location, Message(message.clone())).add_source_info(records.source_info()).to_string();
        // An empty location is reported by `tblgen` in a second line.
        let text = match rendered.strip_prefix(&message) {
            Some(_) => format!("error: {message}"),
            None => records.with_file_name(rendered.trim_end()),
        };
        Self { message, text }
    }

    /// An error at a line and column of a named text.
    pub fn at_position(file: &str, line: usize, column: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { text: format!("{file}:{line}:{column}: error: {message}"), message }
    }

    /// The message without its place.
    pub fn message(&self) -> &str {
        &self.message
    }
}
