//! TableGen's evaluation of a file. TableGen ends the process on a failed assertion or cast, overflows its stack on a class
//! that is defined by itself, and does not tell its caller of all errors that it prints. So a file is first tried in another
//! process, unless this one is watched by another and may end.

mod crash;
mod llvm_tool;
mod messages;
mod prepared;
mod trial;
mod watched;

use std::{path::PathBuf, time::Duration};

use tblgen::{RecordKeeper, TableGenParser};

use crate::error::{Error, Result};

pub use prepared::Prepared;
pub use watched::{EXIT_CODES, TIMED_OUT, begin as begin_watched};

/// Evaluation that takes more of a processor's time is refused.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// A file that TableGen evaluates.
pub struct Input<'a> {
    /// The name under which it is read.
    pub read_name: &'a str,
    /// The name that diagnostics show.
    pub shown_name: &'a str,
    /// Where included files are looked for.
    pub include_directories: &'a [PathBuf],
}

impl Input<'_> {
    /// The records of the file.
    ///
    /// # Errors
    /// What TableGen says, and files that it cannot evaluate.
    pub fn evaluate(&self) -> Result<RecordKeeper<'static>> {
        let records = if watched::is_watched() {
            watched::parse(self)?
        } else {
            self.check()?;
            self.parse()
        };
        records.ok_or_else(|| Error::new(format!("'{}' could not be parsed as TableGen", self.shown_name)))
    }

    /// Lets another process evaluate the file.
    ///
    /// # Errors
    /// The same.
    pub fn check(&self) -> Result<()> {
        trial::check(self)
    }

    fn parse(&self) -> Option<RecordKeeper<'static>> {
        let parser = TableGenParser::new().add_source_file(self.read_name);
        let with_directories = self
            .include_directories
            .iter()
            .fold(parser, |parser, directory| parser.add_include_directory(&directory.to_string_lossy()));
        with_directories.parse().ok()
    }

    /// What TableGen says of the file, by the name that is shown.
    fn told(&self, messages: &str) -> String {
        messages.replace(self.read_name, self.shown_name)
    }

    /// What TableGen says as an error, with help where a file is not included.
    fn error(&self, messages: &str) -> Error {
        let told = self.told(&messages::without_followers(messages.trim_end()));
        let told = messages::without_numbers(&told);
        Error::rendered(match messages::help(&told) {
            Some(help) => format!("{told}\nhelp: {help}"),
            None => told,
        })
    }

    fn timed_out(&self) -> Error {
        timed_out(self.shown_name)
    }
}

/// A file takes too long.
pub fn timed_out(file: &str) -> Error {
    Error::new(format!("'{file}' takes more than {} s of processor time to evaluate", TIME_LIMIT.as_secs()))
}

/// What is said of a text that is refused, as that of `x.td`.
#[cfg(test)]
fn told(text: &str) -> String {
    let file = tempfile::Builder::new().suffix(".td").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let read_name = file.path().to_string_lossy();
    let input = Input { read_name: &read_name, shown_name: "x.td", include_directories: &[] };
    input.check().unwrap_err().to_string()
}
