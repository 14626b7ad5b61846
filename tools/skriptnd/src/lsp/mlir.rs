//! `skriptnd-lsp-server --mlir`: MLIR's language server with our dialects.

use crate::failure;
use crate::registry::registry;
use skriptnd_mlir::tools::language_server_main;

/// Returns the exit code.
pub fn main(arguments: &[String]) -> u8 {
    match registry() {
        Ok(registry) => u8::try_from(language_server_main(arguments, &registry)).unwrap_or(1),
        Err(failure) => failure::report(failure),
    }
}
