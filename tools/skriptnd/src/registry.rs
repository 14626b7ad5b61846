//! The dialects and passes that all tools know.

use crate::failure::Failure;
use skriptnd_mlir::Registry;

/// MLIR's own dialects and passes, and ours.
pub fn registry() -> Result<Registry, Failure> {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry).map_err(Failure::input)?;
    skriptnd_htp::register(&mut registry).map_err(Failure::input)?;
    skriptnd_codegen::register_passes().map_err(Failure::input)?;
    Ok(registry)
}
