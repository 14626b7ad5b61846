//! What functions return.

use skriptnd_runtime::ModelError;
use skriptnd_runtime::status::Status;

/// Done.
pub const SKRIPTND_OK: i32 = 0;
/// A pointer is NULL that must not be.
pub const SKRIPTND_NULL: i32 = -1;
/// A pointer is not aligned as what it leads to.
pub const SKRIPTND_MISALIGNED: i32 = -2;
/// An extent is negative or above its bound.
pub const SKRIPTND_EXTENT: i32 = -3;
/// A file can't be read or written, or is not what it should be.
pub const SKRIPTND_FILE: i32 = -4;
/// The library is no compiled model, or one of another version, machine or processor.
pub const SKRIPTND_LIBRARY: i32 = -5;
/// The number of tensors is not that of the model.
pub const SKRIPTND_COUNT: i32 = -6;
/// A tensor has elements of another type, or of none.
pub const SKRIPTND_TYPE: i32 = -7;
/// A tensor has another rank or other extents.
pub const SKRIPTND_SHAPE: i32 = -8;
/// A tensor has not enough memory; the `bytes` of an output say how much it needs.
pub const SKRIPTND_CAPACITY: i32 = -9;
/// There is nothing of this name or number.
pub const SKRIPTND_NAME: i32 = -10;
/// There is not enough memory.
pub const SKRIPTND_MEMORY: i32 = -11;
/// A truth value is neither 0 nor 1, or a text is not UTF-8.
pub const SKRIPTND_VALUE: i32 = -12;
/// Something that the model requires of the data did not hold in a run.
pub const SKRIPTND_FAULT: i32 = -13;
/// Memory of an output is used twice.
pub const SKRIPTND_OVERLAP: i32 = -14;
/// A defect of this library or of the compiled model.
pub const SKRIPTND_DEFECT: i32 = -15;

/// What each status means.
pub(crate) const MESSAGES: [(i32, &std::ffi::CStr); 16] = [
    (SKRIPTND_OK, c"done"),
    (SKRIPTND_NULL, c"a pointer is NULL that must not be"),
    (SKRIPTND_MISALIGNED, c"a pointer is not aligned as what it leads to"),
    (SKRIPTND_EXTENT, c"an extent is negative or above its bound"),
    (SKRIPTND_FILE, c"a file can't be read or written, or is not what it should be"),
    (SKRIPTND_LIBRARY, c"the library is no compiled model, or one of another version, machine or processor"),
    (SKRIPTND_COUNT, c"the number of tensors is not that of the model"),
    (SKRIPTND_TYPE, c"a tensor has elements of another type, or of none"),
    (SKRIPTND_SHAPE, c"a tensor has another rank or other extents"),
    (SKRIPTND_CAPACITY, c"a tensor has not enough memory"),
    (SKRIPTND_NAME, c"there is nothing of this name or number"),
    (SKRIPTND_MEMORY, c"there is not enough memory"),
    (SKRIPTND_VALUE, c"a truth value is neither 0 nor 1, or a text is not UTF-8"),
    (SKRIPTND_FAULT, c"something that the model requires of the data did not hold in a run"),
    (SKRIPTND_OVERLAP, c"memory of an output is used twice"),
    (SKRIPTND_DEFECT, c"a defect of this library or of the compiled model"),
];

/// Why a function did not do what it was asked for.
#[derive(Debug)]
pub(crate) struct Failure {
    pub status: i32,
    pub text: String,
}

impl Failure {
    pub fn new(status: i32, text: impl Into<String>) -> Failure {
        Failure { status, text: text.into() }
    }

    pub fn null(what: impl std::fmt::Display) -> Failure {
        Failure::new(SKRIPTND_NULL, format!("{what} is NULL"))
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Failure::new(status_of(&error), error.to_string())
    }
}

fn status_of(error: &ModelError) -> i32 {
    match error {
        ModelError::Load { .. } | ModelError::Foreign { .. } | ModelError::Metadata { .. } => SKRIPTND_LIBRARY,
        ModelError::Machine { .. } | ModelError::Processor { .. } => SKRIPTND_LIBRARY,
        ModelError::NotShared | ModelError::NoMpi { .. } | ModelError::Mpi(_) => SKRIPTND_LIBRARY,
        ModelError::Processes { .. } => SKRIPTND_COUNT,
        ModelError::Io { .. } | ModelError::NoValues | ModelError::NotALibrary { .. } | ModelError::File(_) => {
            SKRIPTND_FILE
        }
        ModelError::Tensor { role: "variable", .. } | ModelError::Values { .. } | ModelError::NoFolder { .. } => {
            SKRIPTND_FILE
        }
        ModelError::Several(errors) => errors.first().map_or(SKRIPTND_FILE, status_of),
        ModelError::Tensor { .. } => SKRIPTND_EXTENT,
        ModelError::Type { .. } => SKRIPTND_TYPE,
        ModelError::Shape { .. } => SKRIPTND_SHAPE,
        ModelError::Count { .. } => SKRIPTND_COUNT,
        ModelError::Capacity { .. } => SKRIPTND_CAPACITY,
        ModelError::NoState(_) => SKRIPTND_NAME,
        ModelError::Memory(_) | ModelError::OutputMemory { .. } => SKRIPTND_MEMORY,
        ModelError::Failed(_) => SKRIPTND_FAULT,
        ModelError::Status(Status(status @ SKRIPTND_EXTENT..=SKRIPTND_NULL)) => *status,
        ModelError::Status(_) | ModelError::Overrun(_) => SKRIPTND_DEFECT,
    }
}
