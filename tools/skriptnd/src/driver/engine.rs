//! Models that are run again and again.

use crate::failure::Failure;
use skriptnd_runtime::Tensor;
use std::time::Instant;
#[cfg(feature = "mlir")]
use {
    skriptnd_hexagon::emulator::Answer, skriptnd_runtime::operation::Operation,
    skriptnd_runtime::session::profile::Event,
};

/// A model that can be run again and again on the same inputs.
pub trait Engine {
    /// Runs it once.
    fn run(&mut self) -> Result<(), Failure>;
    /// Runs it once and gives the outputs, packs flattened.
    fn outputs(&mut self) -> Result<Vec<Tensor>, Failure>;
    /// Bytes that a run needs for what it computes.
    fn peak_bytes(&self) -> usize;
    /// Whether it can tell when its operations ran.
    #[cfg(feature = "mlir")]
    fn is_marked(&self) -> bool {
        false
    }
    /// What the last run was on an emulator that counts, if it was.
    #[cfg(feature = "mlir")]
    fn counted(&self) -> Option<&Answer> {
        None
    }
    /// The operations that a profile tells of; none where nothing is marked.
    #[cfg(feature = "mlir")]
    fn operations(&self) -> &[Operation] {
        &[]
    }
    /// Runs it once and tells when its operations ran.
    #[cfg(feature = "mlir")]
    fn profile(&mut self) -> Result<Vec<Event>, Failure> {
        self.run().map(|()| Vec::new())
    }
}

/// Microseconds of one run.
pub fn time_once(engine: &mut dyn Engine) -> Result<f64, Failure> {
    let started = Instant::now();
    engine.run()?;
    Ok(started.elapsed().as_nanos() as f64 / 1e3)
}
