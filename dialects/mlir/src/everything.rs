//! All of MLIR in a registry. A module of its own, so that only executables that use it link all of MLIR.

use crate::{Registry, ffi};

impl Registry {
    /// Adds all dialects, extensions and passes of MLIR, as `mlir-opt` has them. Contexts then load slowly.
    pub fn add_everything(&mut self) {
        // SAFETY: the registry is valid; MLIR takes the same pass several times.
        unsafe { ffi::skndRegisterEverything(self.raw().to_raw()) };
    }
}
