//! `skriptnd-lsp-server --mlir`: MLIR's language server with our dialects.

use crate::failure;
use crate::registry::complete_registry;
use skriptnd_mlir::tools::language_server_main;
use std::ffi::OsString;

/// Returns the exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    match complete_registry() {
        Ok(registry) => u8::try_from(language_server_main(arguments, &registry)).unwrap_or(1),
        Err(failure) => failure::report(failure),
    }
}
