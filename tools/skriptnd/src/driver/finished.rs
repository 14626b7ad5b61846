//! What a run gives.

use super::output::Results;
use std::time::Duration;

/// What a run gives, whatever executed it.
pub struct Finished {
    pub outputs: Results,
    /// Variables after the run, by their scoped names.
    pub variables: Results,
    pub compile: Duration,
    pub run: Duration,
    pub peak_bytes: usize,
    /// Whether random numbers may be drawn that the model has no seed for.
    pub draws: bool,
}
