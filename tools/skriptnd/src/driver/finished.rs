//! What a run gives.

use super::output::Results;
use skriptnd_language::compose::graph::Graph;
use skriptnd_runtime::Storage;
use std::time::Duration;

/// What a run gives, whatever executed it.
pub struct Finished {
    pub outputs: Results,
    /// The form of each output in files.
    pub stored: Vec<Option<Storage>>,
    /// Variables after the run, by their scoped names.
    pub variables: Results,
    pub compile: Duration,
    pub run: Duration,
    pub peak_bytes: usize,
    /// Whether random numbers may be drawn that the model has no seed for.
    pub draws: bool,
}

/// The forms in which a graph gives its outputs.
pub fn forms(graph: &Graph) -> Vec<Option<Storage>> {
    (0..graph.outputs.len()).map(|at| graph.form_of_output(at)).collect()
}
