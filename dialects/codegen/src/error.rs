//! What can go wrong between linalg and an object.

use skriptnd_mlir::Failure;

/// Why a module could not be compiled. None of it concerns the model's text, which was checked before.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// MLIR or LLVM refused something.
    #[error(transparent)]
    Mlir(#[from] skriptnd_mlir::Error),
    /// A part of the model has a form for which no code can be generated.
    #[error("{}", told(.0))]
    Refused(Vec<skriptnd_mlir::Diagnostic>),
    /// The Hexagon runtime could not be linked or run.
    #[error(transparent)]
    Hexagon(#[from] skriptnd_hexagon::Error),
    /// The module has something that code can't be generated for yet.
    #[error("{0}")]
    Unsupported(String),
    /// The module is not of the form that this crate takes.
    #[error("the module to compile is malformed: {0}")]
    Malformed(String),
    /// The target is none that is known.
    #[error("{0}")]
    Target(String),
    /// No programs can be linked, for a reason.
    #[error("no programs can be made {0}; emit a shared library, and load it by one in C (runtime/examples/c)")]
    NoPrograms(String),
    /// What is wrong was reported to the context.
    #[error("failed, as reported")]
    Reported,
}

fn told(refused: &[skriptnd_mlir::Diagnostic]) -> String {
    refused.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// How passes begin what they report of a part of the model that they can't compile.
pub(crate) const REFUSAL: &str = "can't be compiled: ";

/// How reasons begin for which processes can't share a graph, behind [`REFUSAL`].
pub(crate) const SHARD: &str = "--shard";

/// How diagnostics about files with schedules begin.
pub(crate) const SCHEDULE: &str = "schedule: ";

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::Mlir(failure.into())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Reported => Failure::reported(),
            Error::Unsupported(what) => Failure::new(format!("{REFUSAL}{what}")),
            other => Failure::new(other.to_string()),
        }
    }
}

impl Error {
    /// For operations that could not be built: a defect of this crate, reported and not hidden.
    pub(crate) fn malformed(what: impl Into<String>) -> Error {
        Error::Malformed(what.into())
    }
}
