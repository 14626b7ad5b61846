//! Models that are run again and again.

use crate::failure::Failure;
use skriptnd_runtime::Tensor;
use std::time::Instant;

/// A model that can be run again and again on the same inputs.
pub trait Engine {
    /// Runs it once.
    fn run(&mut self) -> Result<(), Failure>;
    /// The outputs of the last run, packs flattened.
    fn outputs(&self) -> Vec<&Tensor>;
    /// Bytes that a run needs for what it computes.
    fn peak_bytes(&self) -> usize;
}

/// Microseconds of one run.
pub fn time_once(engine: &mut dyn Engine) -> Result<f64, Failure> {
    let started = Instant::now();
    engine.run()?;
    Ok(started.elapsed().as_nanos() as f64 / 1e3)
}
