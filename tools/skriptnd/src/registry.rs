//! The dialects and passes that all tools know.

use skriptnd_mlir::Registry;

/// MLIR's own dialects and passes, and ours.
pub fn registry() -> Registry {
    Registry::new()
}
