//! Why a compiled model is not loaded or not run.

use crate::fault::Failed;
use crate::kind::FileKind;
use crate::status::Status;
use crate::storage::Storage;
use crate::values::Values;
use std::path::PathBuf;

/// Why a compiled model could not be loaded or run.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file is no shared library of this machine.
    #[error("{}: {source}{}", path.display(), reason(source))]
    Load {
        /// The file of the library.
        path: PathBuf,
        /// Why not.
        source: libloading::Error,
    },
    /// The file is something else.
    #[error(
        "{}: expected a compiled model, which is a shared library, found {}",
        path.display(),
        kind.map_or("another file", FileKind::phrase)
    )]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What it is, if that is known.
        kind: Option<FileKind>,
    },
    /// The file is a shared library, but no compiled model.
    #[error("{}: a shared library that is no compiled model", path.display())]
    Foreign {
        /// The file of the library.
        path: PathBuf,
    },
    /// The file can't be read, or is not a whole library.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file of the library.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Where a folder is expected is none.
    #[error("{}: expected a folder, found {found}", path.display())]
    NoFolder {
        /// The place.
        path: PathBuf,
        /// What is there.
        found: String,
    },
    /// The library's metadata are not what this loader knows.
    #[error("{}: {message}", path.display())]
    Metadata {
        /// The file of the library.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The library is one for another machine.
    #[error("{}: compiled for {machine}, but this machine is {}\nhelp: compile the model again for `--target host`", path.display(), std::env::consts::ARCH)]
    Machine {
        /// The file of the library.
        path: PathBuf,
        /// For which.
        machine: String,
    },
    /// The code asks for what this processor does not have.
    #[error(
        "{}: compiled for the processor {cpu} with {}, which this one does not have\nhelp: compile the model again: \
         `--cpu native` on this machine, `--cpu generic` for all of its kind",
        path.display(),
        missing.join(", ")
    )]
    Processor {
        /// The file of the library.
        path: PathBuf,
        /// LLVM's name for the processor that it was compiled for.
        cpu: String,
        /// The features that are missing, by LLVM's names.
        missing: Vec<String>,
    },
    /// A tensor is not what the model takes.
    #[error("{role} `{name}`: {message}")]
    Tensor {
        /// `input`, `variable` or `output`.
        role: &'static str,
        /// The name in the graph.
        name: String,
        /// Expected and found.
        message: String,
    },
    /// Several things are wrong.
    #[error("{}", lines(.0))]
    Several(Vec<ModelError>),
    /// A tensor has elements of another type.
    #[error("{role} `{name}` must be {}, but {} is given", words(*expected, *found).0, words(*expected, *found).1)]
    Type {
        /// `input`, `variable` or `output`.
        role: &'static str,
        /// The name in the graph.
        name: String,
        /// Of the model.
        expected: Storage,
        /// Given.
        found: Storage,
    },
    /// A tensor has another shape.
    #[error("{role} `{name}` must have shape {expected}, but {found:?} is given")]
    Shape {
        /// `input`, `variable` or `output`.
        role: &'static str,
        /// The name in the graph.
        name: String,
        /// Of the model, with the bounds of extents that are open.
        expected: String,
        /// Given.
        found: Vec<usize>,
    },
    /// A variable has numbers that the code is not for.
    #[error(
        "variable `{name}` must have whole numbers from {expected}, as it had when the model was compiled, but element {element} \
         is {found}\nhelp: compile the model again with these variables"
    )]
    Values {
        /// The name in the graph.
        name: String,
        /// Of the model.
        expected: Values,
        /// The number of the first element that is none of them.
        element: usize,
        /// That element.
        found: i64,
    },
    /// The number of tensors is not that of the model.
    #[error("the model has {expected} {role}s; {found} were given")]
    Count {
        /// `input`, `variable` or `output`.
        role: &'static str,
        /// Of the model.
        expected: usize,
        /// Given.
        found: usize,
    },
    /// An output has not enough memory.
    #[error("output `{name}` needs {needed} bytes; it has {capacity}")]
    Capacity {
        /// The name in the graph.
        name: String,
        /// Bytes.
        needed: usize,
        /// Bytes.
        capacity: usize,
    },
    /// A model that is linked into the program has no values of its variables.
    #[error("the linked model has no values of its variables: compile it with --embed-weights, or give them")]
    NoValues,
    /// A model that processes share is run by another number of them.
    #[error("the model was compiled for {expected} processes, found {found}")]
    Processes {
        /// How many it was compiled for.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A model that is not shared can't be given processes.
    #[error("the model was not compiled with --shard: each process would do all its work")]
    NotShared,
    /// There is no MPI.
    #[error("processes share the model, and MPI can't be loaded (tried {tried}): {reason}")]
    NoMpi {
        /// The libraries that were looked for.
        tried: String,
        /// What the system says.
        reason: String,
    },
    /// MPI does not do what it is asked for.
    #[error("processes share the model, and MPI can't be used: {0}")]
    Mpi(String),
    /// No run changes a variable of this name.
    #[error("no run of the model changes a variable `{0}`")]
    NoState(String),
    /// A tensor file can't be written.
    #[error("{0}")]
    File(String),
    /// Compiled code wrote where it may not; only guarded sessions see that.
    #[error("the compiled code wrote beside {0}")]
    Overrun(String),
    /// There is not enough memory.
    #[error("{0} bytes can't be allocated")]
    Memory(usize),
    /// There is not enough memory for an output.
    #[error("output `{name}` may take {bytes} bytes, which can't be allocated")]
    OutputMemory {
        /// Which one.
        name: String,
        /// As many.
        bytes: usize,
    },
    /// Something that must hold did not hold while the model ran.
    #[error("{0}")]
    Failed(Box<Failed>),
    /// A function of the model refused its arguments, or reported a fault that its metadata don't name.
    #[error("the compiled model can't be run: {0}")]
    Status(Status),
}

impl ModelError {
    /// That an input is not what a model takes, and why. `name` is what it is called.
    pub fn of_input(name: &str, message: String) -> ModelError {
        ModelError::Tensor { role: "input", name: name.to_owned(), message }
    }

    /// The same about an output, if it is about memory.
    pub(crate) fn of_output(self, name: &str) -> ModelError {
        match self {
            ModelError::Memory(bytes) => ModelError::OutputMemory { name: name.to_owned(), bytes },
            other => other,
        }
    }
}

/// What elements are called: as the language does, unless one of the two lies in another form.
fn words(expected: Storage, found: Storage) -> (String, String) {
    match (expected.element_type(), found.element_type()) {
        (Some(expected), Some(found)) => (expected.to_string(), found.to_string()),
        _ => (expected.to_string(), found.to_string()),
    }
}

fn lines(errors: &[ModelError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What the system's loader says, without the name of the copy that it was given.
fn reason(error: &libloading::Error) -> String {
    let Some(reason) = std::error::Error::source(error) else { return String::new() };
    let text = reason.to_string();
    let named = text.strip_prefix("/proc/self/fd/").and_then(|rest| rest.split_once(": "));
    format!(": {}", named.map_or(text.as_str(), |(_, text)| text))
}
