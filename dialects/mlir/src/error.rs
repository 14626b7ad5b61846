//! The error type of this crate.

use crate::diagnostics::{Diagnostic, Failure, Position};

/// What can go wrong between Rust and MLIR.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A dialect or operation definition cannot be registered.
    #[error("cannot define `{name}`: {reason}")]
    Definition {
        /// The dialect or operation.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A pass definition cannot be registered.
    #[error("cannot register pass `{argument}`: {reason}")]
    PassRegistration {
        /// The command line argument of the pass.
        argument: String,
        /// Why not.
        reason: String,
    },
    /// A textual pass pipeline does not parse.
    #[error("invalid pass pipeline `{pipeline}`: {reason}")]
    Pipeline {
        /// The text of the pipeline.
        pipeline: String,
        /// What MLIR said.
        reason: String,
    },
    /// MLIR reported errors; the first of them is the message.
    #[error("{}", summary(.what, .diagnostics))]
    Reported {
        /// What was attempted.
        what: String,
        /// Everything reported meanwhile.
        diagnostics: Vec<Diagnostic>,
    },
    /// A pattern names a native function that was not given, or uses one inconsistently.
    #[error("{}native function `{name}`: {reason}", before(.position))]
    NativeFunction {
        /// The name in the pattern.
        name: String,
        /// Why it cannot be used.
        reason: String,
        /// Where the pattern names it.
        position: Option<Position>,
    },
    /// A text has no patterns, or something else than patterns.
    #[error("{}{reason}", before(.position))]
    Patterns {
        /// What is wrong.
        reason: String,
        /// Where.
        position: Option<Position>,
    },
    /// A pattern failed while it was applied.
    #[error("{}rewriting failed: {}", before(.position), summary(.reason, .diagnostics))]
    Rewriting {
        /// What is wrong.
        reason: String,
        /// Where the pattern matched.
        position: Option<Position>,
        /// Everything reported meanwhile.
        diagnostics: Vec<Diagnostic>,
    },
    /// A request that MLIR would answer with an assertion, or something that could not be built.
    #[error("{0}")]
    Invalid(String),
    /// A file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// LLVM refused a module, a target or an emission.
    #[error("LLVM: {0}")]
    Llvm(String),
    /// The linker refused.
    #[error("the linker failed:\n{0}")]
    Link(String),
    /// What the linker or an emulator reads and writes could not be written or read.
    #[error("temporary files in {}: {source}\nhelp: name another folder with room: TMPDIR=FOLDER", folder.display())]
    Temporary {
        /// The folder in which they were to be.
        folder: std::path::PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Invalid(failure.to_string())
    }
}

impl Error {
    /// The diagnostics that belong to the error, if MLIR reported any.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Reported { diagnostics, .. } | Self::Rewriting { diagnostics, .. } => diagnostics,
            _ => &[],
        }
    }

    /// The place that it is about, and what is wrong there; none if it is about no place.
    pub fn placed(&self) -> Option<(&Position, String)> {
        match self {
            Self::Reported { diagnostics, .. } => {
                let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
                errors.find_map(|error| Some((error.position.as_ref()?, error.message.clone())))
            }
            Self::NativeFunction { name, reason, position } => {
                Some((position.as_ref()?, format!("native function `{name}`: {reason}")))
            }
            Self::Patterns { reason, position } => Some((position.as_ref()?, reason.clone())),
            Self::Rewriting { reason, position, diagnostics } => {
                Some((position.as_ref()?, summary(reason, diagnostics)))
            }
            _ => None,
        }
    }
}

/// A place before what is said of it.
fn before(position: &Option<Position>) -> String {
    position.as_ref().map(|position| format!("{position}: ")).unwrap_or_default()
}

fn summary(what: &str, diagnostics: &[Diagnostic]) -> String {
    match diagnostics.iter().find(|diagnostic| diagnostic.is_error()).or(diagnostics.first()) {
        Some(first) => format!("{what}: {first}"),
        None => what.to_string(),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(error.to_string())
    }
}
