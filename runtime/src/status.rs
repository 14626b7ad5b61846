//! What the functions of compiled models return (`include/skriptnd.h`).

use std::fmt;

/// A status that is no fault of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status(pub i32);

impl Status {
    /// An array or a pointer is null.
    pub const NULL: Status = Status(-1);
    /// Memory is not aligned.
    pub const MISALIGNED: Status = Status(-2);
    /// An extent is negative or above its bound.
    pub const EXTENT: Status = Status(-3);
    /// None of several versions is for this processor.
    pub const PROCESSOR: Status = Status(-16);
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Status::NULL => f.write_str("a pointer is NULL that must not be"),
            Status::MISALIGNED => f.write_str("memory is not aligned as it must be"),
            Status::EXTENT => f.write_str("an extent is negative or above its bound"),
            Status::PROCESSOR => f.write_str("this processor has none of those that the code is for"),
            Status(other) => write!(f, "the unknown status {other}"),
        }
    }
}
