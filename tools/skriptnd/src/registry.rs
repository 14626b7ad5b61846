//! The dialects and passes that all tools know.

use crate::failure::Failure;
use skriptnd_mlir::Registry;

/// MLIR's own dialects and passes, and ours.
pub fn registry() -> Result<Registry, Failure> {
    skriptnd_compiler::registry().map_err(Failure::input)
}
