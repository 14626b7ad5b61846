//! The dialects and passes that the tools know.

use crate::failure::Failure;
use skriptnd_mlir::Registry;

/// All of MLIR, and our dialects and passes, for the tools that take the place of MLIR's.
pub fn complete_registry() -> Result<Registry, Failure> {
    let mut registry = registry()?;
    registry.add_everything();
    Ok(registry)
}

/// What of MLIR the compiler uses, and our dialects and passes.
pub fn registry() -> Result<Registry, Failure> {
    skriptnd_compiler::registry().map_err(Failure::input)
}
